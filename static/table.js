/* What the browser does by itself: choosing, the keyboard, the clock, motion. All moves go to the server by the form. */
"use strict";

(() => {
  const root = document.documentElement;
  const $ = (selector) => document.querySelector(selector);
  const $$ = (selector) => [...document.querySelectorAll(selector)];
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const DOUBLE = 180; // Milliseconds within which a second click on the same spot is a slip of the hand.
  const words = $("main").dataset;

  root.classList.add("js");

  // ---- The table, read afresh each time: htmx swaps it. ----
  const table = () => $("#table").dataset;
  const chosen = () => $("#table [name=chosen]");
  const cards = () => $$("#table [name=card]");
  const open = () => $$("#table [name=card]:not([aria-disabled]), #stock, #draw");
  const pairs = () => table().pairs.split(" ").map((pair) => pair.split("+"));
  const partners = (code) =>
    pairs().filter((pair) => pair[1] && pair.includes(code)).map((pair) => pair[pair[0] === code ? 1 : 0]);
  const name = (card) => card.getAttribute("aria-label").split(",")[0];

  function say(text, ...parts) {
    const said = parts.reduce((whole, part, at) => whole.replace(`%${at + 1}`, part), text);
    $("#live").textContent = said[0].toUpperCase() + said.slice(1);
  }

  function listed(names) {
    const last = names.pop();
    return names.length ? `${names.join(", ")} ${words.and} ${last}` : last;
  }

  // ---- Choosing ----
  function choose(code) {
    const goes = code ? partners(code) : [];
    chosen().value = code;
    for (const card of cards()) {
      card.classList.toggle("goes", goes.includes(card.value));
      if (card.value === code) card.setAttribute("aria-pressed", "true");
      else card.removeAttribute("aria-pressed");
    }
    return cards().filter((card) => goes.includes(card.value)).map(name);
  }

  /** Choose, put back or explain; true if the card is to be posted. */
  function press(card) {
    const code = card.value;
    const first = chosen().value;
    if (card.getAttribute("aria-disabled")) {
      say(words.covered, name(card), card.getAttribute("aria-label").split(/covered by /)[1] ?? "");
      return false;
    }
    if ($("#table").classList.contains("left")) return false;
    if (pairs().some((pair) => !pair[1] && pair[0] === code)) return true;
    if (first && first !== code && partners(first).includes(code)) return true;
    if (first === code) {
      choose("");
      say(words.unchosen, name(card));
    } else {
      const goes = choose(code);
      say(goes.length ? words.goes : words.chosen, name(card), goes.length ? listed(goes) : "");
    }
    return false;
  }

  let clicked = 0;
  document.addEventListener("click", (event) => {
    const menu = $(".menu[open]");
    if (menu && !menu.contains(event.target)) menu.open = false;
    const button = event.target.closest("button, #copy");
    if (!button) return;
    if (button.id === "retry") retry();
    else if (button.id === "help") $("#keys").showModal();
    else if (button.id === "copy") copy(event, button);
    else if (button.form?.hasAttribute("hx-post")) {
      const slip = event.detail > 1 && event.timeStamp - clicked < DOUBLE;
      if (!slip) clicked = event.timeStamp;
      if (slip || (button.name === "card" ? !press(button) : button.hasAttribute("aria-disabled")))
        event.preventDefault();
    }
  });

  // The link of a given deck is an address that leads on to the deal's, which carries the whole deck.
  async function copy(event, link) {
    if (!navigator.clipboard) return;
    event.preventDefault();
    try {
      const own = link.pathname.endsWith("/deal") && (await fetch(link.href)).url;
      await navigator.clipboard.writeText(own || link.href);
      link.textContent = words.copied;
      say(words.copied);
    } catch {
      location.assign(link.href);
    }
  }

  // ---- The keyboard ----
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const KEYS = { d: "#draw, #stock", u: "#undo", r: "#redo", h: "#hint", n: "#new", "?": "#help" };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
    if (event.target.closest("input:not([type=hidden]), textarea, select")) return;
    if (event.key === "Escape") return putBack();
    const arrow = ARROWS[event.key];
    const key = KEYS[event.key.toLowerCase()];
    if (arrow && (event.target === document.body || event.target.closest("#table"))) walk(arrow);
    else if (key && !event.repeat) $(key)?.click();
    else return;
    event.preventDefault();
  });

  function putBack() {
    const menu = $(".menu[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    } else if (!$("#toast").hidden) {
      $("#toast").hidden = true;
    } else if (chosen().value) {
      const card = $("#table [aria-pressed=true]");
      choose("");
      if (card) say(words.unchosen, name(card));
    }
  }

  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  /** Focus the nearest open card in a direction; from nowhere, the first. */
  function walk([right, down]) {
    const here = document.activeElement;
    const others = open().filter((card) => card !== here);
    if (!here.closest("#table button")) return others[0]?.focus();
    const [x, y] = middle(here);
    let best = [Infinity];
    for (const card of others) {
      const [cx, cy] = middle(card);
      const ahead = (cx - x) * right + (cy - y) * down;
      const aside = Math.abs((cx - x) * down) + Math.abs((cy - y) * right);
      const far = ahead + 2.5 * aside;
      if (ahead > 1 && far < best[0]) best = [far, card];
    }
    best[1]?.focus();
  }

  // ---- Swaps: focus and motion ----
  let before = null;

  function look() {
    const seen = new Map(cards().map((card) => [card.value, { card, box: card.getBoundingClientRect() }]));
    const order = $$("#table button").map((button) => button.id);
    const here = document.activeElement;
    return { seen, order, gone: Number($("#gone").textContent), focus: here.closest("#table") && here.id, chosen: chosen().value };
  }

  // What comes for the table, in answer to a form; the solver's word has a place of its own in it.
  const ofTable = (event) => event.detail.ctx.sourceElement?.hasAttribute("hx-post");

  document.addEventListener("htmx:before:swap", (event) => { if (ofTable(event)) before = look(); });
  document.addEventListener("htmx:after:swap", (event) => {
    if (!ofTable(event)) return;
    if (event.detail.ctx.response?.status < 500) $("#toast").hidden = true;
    if (!before) return;
    refocus(before);
    rechoose(before.chosen);
    start();
    if (!still.matches && document.visibilityState === "visible") move(before, look());
    before = null;
  });

  /** Where the focused card has gone, focus the next open one in reading order, else the last. */
  function refocus({ focus, order }) {
    const now = document.activeElement;
    if (!focus || (now.closest("#table") && !(now.name === "card" && now.getAttribute("aria-disabled")))) return;
    const at = order.indexOf(focus);
    const left = open();
    const place = (element) => (order.includes(element.id) ? order.indexOf(element.id) : Infinity);
    (left.find((element) => place(element) > at) ?? left.at(-1) ?? $("#new")).focus({ preventScroll: true });
  }

  /** A chosen card stays chosen as long as it lies open: one may draw to find its partner. */
  function rechoose(code) {
    const posted = last?.name === "card" && code === last.chosen;
    if (code && !posted && code !== chosen().value && open().some((card) => card.value === code)) choose(code);
  }

  const time = () => parseFloat(getComputedStyle(root).getPropertyValue("--move")) * 1000;
  const ease = "cubic-bezier(.3,.7,.3,1)";

  /** Discards fly to the foundation, a turned card comes from the stock, what comes back fades in. */
  function move(old, now) {
    const stock = $("#stock, #stock-card")?.getBoundingClientRect();
    for (const [code, { card, box }] of now.seen)
      if (!old.seen.has(code) && now.gone === old.gone && card.id.startsWith("waste") && stock)
        card.animate({ transform: [`translate(${stock.left - box.left}px,${stock.top - box.top}px)`, "none"] }, { duration: time(), easing: ease });
      else if (!old.seen.has(code)) card.animate({ opacity: [0, 1] }, time());
    if (now.gone > old.gone)
      for (const [code, { card, box }] of old.seen) if (!now.seen.has(code)) fly(card, code, box);
  }

  function fly(card, code, box) {
    const ghost = document.createElement("span");
    const goal = $("#gone").getBoundingClientRect();
    ghost.setAttribute("name", "card");
    ghost.setAttribute("value", code);
    ghost.textContent = code.replace("T", "10").slice(0, -1);
    Object.assign(ghost.style, { left: `${box.left}px`, top: `${box.top}px` });
    let air = $(".ghosts");
    if (!air) {
      air = document.createElement("div");
      air.className = "ghosts";
      air.setAttribute("aria-hidden", "true");
      document.body.append(air);
    }
    air.append(ghost);
    ghost.animate(
      { transform: ["none", `translate(${goal.left - box.left}px,${goal.top - box.top}px)`], opacity: [1, 1, 0] },
      { duration: time() * 1.2, easing: ease, fill: "forwards" },
    ).finished.finally(() => ghost.remove());
  }

  // ---- The clock ----
  let since = 0;
  const two = (number) => String(number).padStart(2, "0");

  function start() {
    since = Date.now() - 1000 * Number(table().seconds);
  }

  setInterval(() => {
    if (!("running" in table())) return;
    const seconds = Math.floor((Date.now() - since) / 1000);
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    $("#clock").textContent = (hours ? `${hours}:${two(minutes % 60)}` : minutes) + `:${two(seconds % 60)}`;
  }, 1000);

  // ---- When the server is not reached ----
  let last = null;
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (event.target.hasAttribute("hx-post")) last = { name: button.name, value: button.value, chosen: chosen().value, version: table().version };
  });

  const failed = () => { $("#toast").hidden = false; };
  document.addEventListener("htmx:error", (event) => { if (ofTable(event)) failed(); });
  document.addEventListener("htmx:response:error", (event) => {
    if (ofTable(event) && event.detail.ctx.response.status >= 500) failed();
  });

  function retry() {
    $("#toast").hidden = true;
    const button = $$("#table button").find((one) => one.name === last?.name && one.value === last.value);
    if (!button) return location.reload();
    chosen().value = last.chosen;
    // As it was posted before: if it was applied after all, the server knows it again and does nothing twice.
    $("#table [name=version]").value = last.version;
    button.focus({ preventScroll: true });
    button.form.requestSubmit(button);
  }

  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  start();
  choose(chosen().value);
})();
