/* Asks for the worker that shows a page of ours where there is no connection; once all else has come. */
"use strict";

addEventListener("load", () => navigator.serviceWorker?.register("/sw.js", { updateViaCache: "none" }).catch(() => {}));
