/* What pages of text do by script, and a replay's sharing: fill in a recovery code from the address, let a name be as long as it may, copy with one press, which the key itself then tells. All works without. */
"use strict";

(() => {
  const code = document.querySelector("#code");
  if (code && location.hash.length > 1) {
    code.value = decodeURIComponent(location.hash.slice(1));
    // The code is a secret: it need not stay in the address.
    history.replaceState(null, "", location.pathname);
  }

  // A browser counts some letters twice, the server none.
  const name = document.querySelector("[data-most]");
  name?.addEventListener("input", (event) => {
    const most = Number(name.dataset.most);
    const letters = [...name.value.normalize()];
    if (letters.length > most && !event.isComposing) name.value = letters.slice(0, most).join("");
    name.maxLength = letters.length < most ? 2 * most : name.value.length;
  });

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
        // Of a link its address is wanted, of a text both it and the address that goes with it.
        await navigator.clipboard.writeText(source.href ?? [source.textContent.trim(), link].filter(Boolean).join(" "));
        say(button.dataset.done);
      } catch {
        say(button.dataset.failed);
      }
    });
  }
})();
