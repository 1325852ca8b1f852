/* Asks for the worker that shows a page of ours where there is no connection; once all else has come. */
"use strict";

(() => {
  // It minds what lies below it, and we may lie below a path.
  const worker = new URL("../sw.js", document.currentScript.src);
  addEventListener("load", () => navigator.serviceWorker?.register(worker, { updateViaCache: "none" }).catch(() => {}));
})();
