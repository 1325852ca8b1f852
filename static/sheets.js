/* What pages of text do by script: fill in a recovery code from the address, copy with one press, which the key itself then tells. All works without. */
"use strict";

(() => {
  const code = document.querySelector("#code");
  if (code && location.hash.length > 1) {
    code.value = decodeURIComponent(location.hash.slice(1));
    // The code is a secret: it need not stay in the address.
    history.replaceState(null, "", location.pathname);
  }

  const SHOWN = 2000; // Milliseconds for which a key says what it has done.
  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    const label = button.textContent;
    const said = button.parentElement.querySelector("[role=status]");
    let ends = 0;
    const say = (word) => {
      clearTimeout(ends);
      button.style.width = `${button.getBoundingClientRect().width}px`;
      button.textContent = said.textContent = word;
      ends = setTimeout(() => {
        button.textContent = label;
        button.style.width = said.textContent = "";
      }, SHOWN);
    };
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      const link = source.dataset.path ? new URL(source.dataset.path, location.href).href : "";
      try {
        await navigator.clipboard.writeText([source.textContent.trim(), link].filter(Boolean).join(" "));
        say(button.dataset.done);
      } catch {
        say(button.dataset.failed);
      }
    });
  }
})();
