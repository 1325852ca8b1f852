/* What pages of text do by script: fill in a recovery code from the address, copy with one press. All works without. */
"use strict";

(() => {
  const code = document.querySelector("#code");
  if (code && location.hash.length > 1) {
    code.value = decodeURIComponent(location.hash.slice(1));
    // The code is a secret: it need not stay in the address.
    history.replaceState(null, "", location.pathname);
  }

  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      const link = source.dataset.path ? new URL(source.dataset.path, location.href).href : "";
      const said = button.parentElement.querySelector("[role=status]");
      try {
        await navigator.clipboard.writeText([source.textContent.trim(), link].filter(Boolean).join(" "));
        said.textContent = button.dataset.done;
      } catch {
        said.textContent = button.dataset.failed;
      }
    });
  }
})();
