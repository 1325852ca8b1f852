//# allFunctionsCalledOnLoad
/* What the browser does by itself: choosing, dragging, the keyboard, the clock, motion. All moves go to the server by the form. */
"use strict";

(() => {
  const root = document.documentElement;
  const $ = (selector) => document.querySelector(selector);
  const $$ = (selector) => [...document.querySelectorAll(selector)];
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const SHOWN = 2000; // Milliseconds for which a button says what it has done.
  const DOUBLE = 180; // Milliseconds within which a second click on the same spot is a slip of the hand.
  const words = $("main").dataset;

  root.classList.add("js");

  // As offline.js does for other pages.
  const worker = new URL("../sw.js", document.currentScript.src);
  addEventListener("load", () => navigator.serviceWorker?.register(worker, { updateViaCache: "none" }).catch(() => {}));

  // ---- The table, read afresh each time: htmx swaps it. ----
  const table = () => $("#table").dataset;
  const chosen = () => $("#table [name=chosen]");
  const cards = () => $$("#table [name=card]");
  const open = () => $$("#table [name=card]:not([aria-disabled]), #stock, #draw");
  const find = (code) => cards().find((card) => card.value === code);
  const pairs = () => table().pairs.split(" ").map((pair) => pair.split("+"));
  const alone = (code) => pairs().some((pair) => !pair[1] && pair[0] === code);
  const partners = (code) =>
    pairs().filter((pair) => pair[1] && pair.includes(code)).map((pair) => pair[pair[0] === code ? 1 : 0]);
  const name = (card) => card.getAttribute("aria-label").split(",")[0];
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  function say(text, ...parts) {
    const said = parts.reduce((whole, part, at) => whole.replace(`{${at + 1}}`, part), text);
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
    if (busy()) spend(last);
    const code = card.value;
    const first = chosen().value;
    if (card.getAttribute("aria-disabled")) {
      // Such a card's label is, in every language: its name, its row, its place, and what it is covered by, if anything.
      const why = card.getAttribute("aria-label").split(", ").slice(3).join(", ");
      if (why) say(`${name(card)}: ${why}.`);
      return false;
    }
    if ($("#table").classList.contains("left") || sent(card)) return false;
    if (alone(code)) return true;
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
    else if (button.id === "close") shut();
    else if (button.id === "help") $("#keys").showModal();
    else if (button.id === "copy") copy(event, button);
    else if (button.form?.hasAttribute("hx-post")) {
      const slip = event.detail > 1 && event.timeStamp - clicked < DOUBLE;
      if (!slip) clicked = event.timeStamp;
      const idle = slip || (button.name === "card" ? !press(button) : button.hasAttribute("aria-disabled"));
      if (idle || busy()) event.preventDefault();
      if (!idle && busy()) keep(button);
    }
  });

  // The link of a given deck is an address that leads on to the deal's, which carries the whole deck.
  async function copy(event, link) {
    if (!navigator.clipboard) return;
    event.preventDefault();
    try {
      const own = link.pathname.endsWith("/deal") && (await fetch(link.href)).url;
      await navigator.clipboard.writeText(own || link.href);
      const label = (link.dataset.label ??= link.textContent);
      link.textContent = words.copied;
      setTimeout(() => { link.textContent = label; }, SHOWN);
      say(words.copied);
    } catch {
      location.assign(link.href);
    }
  }

  // ---- Sending: one press at a time. What is pressed meanwhile is kept, and sent in its turn if all goes well. ----
  const MOST = 5; // Presses that are kept; nobody has more in mind.
  const SOON = 60; // Milliseconds within which an answer needs no sign that it is waited for.
  let last = null; // What was posted last.
  let sending = null; // Its form, as long as the answer is waited for.
  let kept = [];
  let again = post; // What is to be tried again.
  const busy = () => sending?.isConnected;
  const pressed = ({ name, value }) => $$("#table button").find((one) => one.name === name && one.value === value);

  /** Whether a button has been pressed and not been answered yet, or is the card that pairs with one. */
  const sent = ({ name, value }) =>
    [...(busy() ? [last] : []), ...kept].some(
      (one) => one.name === name && (one.value === value || (one.chosen === value && !alone(one.value))),
    );

  document.addEventListener("submit", ({ target, submitter: { name, value } }) => {
    if (!target.matches("[hx-post]") || busy()) return;
    const press = { name, value, chosen: chosen().value, version: table().version };
    last = press;
    sending = target;
    setTimeout(() => { if (busy() && last === press) spend(press); }, SOON);
  }, true);
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.sourceEvent?.type === "submit") sending = null;
    mark();
  });

  function mark() {
    for (const button of $$("#table button")) button.classList.toggle("sent", sent(button));
  }

  /** A pair that goes is no longer chosen; that it goes is shown. */
  function spend({ name, value, chosen: first }) {
    if (name === "card" && !alone(value) && chosen().value === first) choose("");
    mark();
  }

  function keep({ name, value }) {
    const press = { name, value, chosen: chosen().value };
    if (kept.length < MOST) kept.push(press);
    spend(press);
  }

  /** Send what was kept. Once a press has lost its sense, so have those that were to follow it. */
  function next() {
    while (kept.length && !busy()) {
      const [{ name, value, chosen: first }, ...others] = kept;
      const button = pressed(kept[0]);
      const fits = name !== "card" || alone(value) || partners(first).includes(value);
      kept = [];
      if (!fits || !button || button.hasAttribute("aria-disabled")) continue;
      if ($("#table").matches(".left, :has(.notice.won, #resume)")) continue;
      kept = others;
      send(button, first);
    }
    mark();
  }

  /** Press a button with a card chosen; what is chosen now stays so. */
  function send(button, first) {
    const now = chosen().value;
    chosen().value = first;
    if (button.matches("[hx-post]")) button.click();
    else button.form.requestSubmit(button);
    if (now !== first) choose(now);
  }

  function failed(event) {
    const menu = $(".menu[open]");
    const { sourceElement, sourceEvent } = event.detail.ctx;
    if (ofTable(event)) {
      const moved = sourceEvent.type === "submit";
      again = moved ? post : () => $(`#${sourceElement.id}`)?.click();
      kept = [];
      if (moved && !chosen().value) choose(last.chosen);
      setDown();
    } else if (ofMenu(event) && menu) {
      if ($("#toast").hidden) again = () => { $(".menu").open = true; };
      menu.open = false;
    } else return;
    place();
    $("#toast").hidden = false;
  }
  document.addEventListener("htmx:error", failed);

  // Where the table is no wider than high: in the room between pyramid and piles.
  function place() {
    const piles = $("#table .piles")?.getBoundingClientRect().top;
    if (piles) $("#toast").style.setProperty("--over", `${innerHeight - piles}px`);
  }
  addEventListener("resize", place);

  document.addEventListener("htmx:response:error", (event) => {
    if (ofMenu(event) || event.detail.ctx.response.status >= 500) failed(event);
  });

  function retry() {
    $("#toast").hidden = true;
    if (!busy()) again();
  }

  function shut() {
    const here = $("#toast").contains(document.activeElement);
    if (here) ((last && pressed(last)) ?? open()[0])?.focus({ preventScroll: true });
    $("#toast").hidden = true;
  }

  /** Post once more what was posted last. */
  function post() {
    const button = last && pressed(last);
    if (!button) return location.reload();
    // As it was posted before: if it was applied after all, the server knows it again and does nothing twice.
    $("#table [name=version]").value = last.version;
    button.focus({ preventScroll: true });
    send(button, last.chosen);
  }

  // ---- Swaps: what was seen before, and where the focus goes ----
  let before = null;
  let lying = null; // What was seen after the last swap, as long as nothing can have moved it.
  for (const kind of ["scroll", "resize"]) window.addEventListener(kind, () => { lying = null; }, true);

  function look() {
    const seen = new Map(cards().map((card) => [card.value, { card, id: card.id, box: card.getBoundingClientRect() }]));
    const pile = $("#stock");
    const stock = $("#stock, #stock-card")?.getBoundingClientRect();
    const left = Number(pile ? pile.textContent : $(".stock small")?.textContent.match(/\d+/));
    const order = $$("#table button").map((button) => button.id);
    return { seen, order, stock, left, gone: Number($("#gone")?.textContent) };
  }

  /** What the player has in the hand. */
  function hand() {
    const here = document.activeElement;
    const focus = here.closest("#table") && here.id;
    const held = find(chosen().value);
    const free = held && !sent(held) ? held.value : "";
    return { focus, menu: here.closest(".menu"), keyed: here.matches(":focus-visible"), chosen: free };
  }

  // What comes for the table, in answer to a form; the solver's word has a place of its own in it.
  const ofTable = (event) => event.detail.ctx.sourceElement?.hasAttribute("hx-post");

  // The menu that is due is fetched, and opened if it was meanwhile; one that did not come is fetched when it is opened.
  let opened = null;
  const ofMenu = (event) => event.detail.ctx.sourceElement?.matches(".menu");
  document.addEventListener("toggle", ({ target }) => {
    if (target.open && target.matches(".menu[hx-get]:not(.htmx-request)")) htmx.trigger(target, "due");
  }, true);

  document.addEventListener("htmx:before:swap", (event) => {
    if (ofMenu(event)) opened = { open: $(".menu").open, here: $(".menu").contains(document.activeElement) };
    if (!ofTable(event)) return void (lying = null);
    before = { ctx: event.detail.ctx, ...(lying ?? look()), ...hand() };
    // Taken away with the focus, a card would have the browser style the half-made table.
    const { name, value } = document.activeElement;
    const goes = busy() && name === "card" && [last.value, last.chosen].includes(value);
    if (goes && before.ctx.response.status === 200) document.activeElement.blur();
    // What was dropped leaves from where it was dropped.
    const box = dropped && lies(dropped.ghost);
    if (dropped?.stock) before.stock = box;
    else if (dropped && before.seen.has(dropped.code)) Object.assign(before.seen.get(dropped.code), { id: "", box });
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (ofMenu(event) && opened) {
      $(".menu").open = opened.open;
      if (opened.here) $(".menu summary").focus();
      opened = null;
    }
    // What was pressed may be gone with the table that it stood on.
    if (before?.ctx !== event.detail.ctx) return;
    const { response, request } = event.detail.ctx;
    if (response.status < 500) $("#toast").hidden = true;
    if (response.status !== 200) kept = [];
    const was = before;
    before = lying = null;
    // The eye is served first, unless the keys are in use.
    if (was.keyed) refocus(was);
    else requestAnimationFrame(() => setTimeout(refocus, 0, was));
    rechoose(was.chosen);
    if (drag?.ghost && !playable(source(drag))) letGo();
    forget();
    setTimeout(() => {
      next();
      // It could not be paused while an answer was waited for; a pause that does not take is not tried again.
      if (request.submitter?.name !== "pause") pauseUnseen();
    });
    for (const [code, flight] of flights) if (flight.card && !(flight.card.isConnected && flight.card.value === code)) flight.end();
    start();
    if (!still.matches && document.visibilityState === "visible") move(was, (lying = look()));
  });

  /** Where the focused card has gone, focus the next open one in reading order, else the last; only keys scroll there.
      A menu is followed by the next one; a pause by what ends it, a win by what it leads to, "which?" by the answer. */
  function refocus({ focus, menu, keyed, order }) {
    const now = document.activeElement;
    if (menu && now === document.body) return ($("#resume") ?? $(".menu summary")).focus({ preventScroll: !keyed });
    if (!focus || (now.closest("#table") && !(now.name === "card" && now.getAttribute("aria-disabled")))) return;
    const at = order.indexOf(focus);
    const left = open();
    const place = (element) => (order.includes(element.id) ? order.indexOf(element.id) : Infinity);
    const named = focus === "which" ? $("#table .hinted") : null;
    const near = named ?? left.find((element) => place(element) > at) ?? left.at(-1);
    ($("#resume") ?? $(".notice.won a") ?? near ?? $("#new")).focus({ preventScroll: !keyed });
  }

  /** A chosen card stays chosen as long as it lies open: one may draw to find its partner. */
  function rechoose(code) {
    if (code && code !== chosen().value && open().some((card) => card.value === code)) choose(code);
  }

  // ---- Moving: what has changed its place is seen on its way ----
  const TIME = parseFloat(getComputedStyle(root).getPropertyValue("--move")) * 1000; // Milliseconds a motion takes.
  const ease = "cubic-bezier(.3,.7,.3,1)";

  /** Discards fly to the foundation and, undone, from it; so do draws and redeals between stock and waste. */
  function move(old, now) {
    const gone = $("#gone")?.getBoundingClientRect();
    if (!gone || Number.isNaN(old.gone)) return; // To and from a pause, whose table is not seen.
    const [same, drawn, turned] = [now.gone === old.gone, now.left < old.left, now.left > old.left];
    const waste = (id) => id.startsWith("waste");
    const closed = !$(".piles.open"); // What goes to and from a closed stock turns over on the way.
    for (const [code, { id, box }] of old.seen)
      if (now.seen.has(code)) continue;
      else if (now.gone > old.gone) travel(code, box, gone);
      else if (same && turned && (waste(id) || !id)) travel(code, box, now.stock, null, closed && "down");
      else if (same && drawn && waste(id)) stay(code, box);
    for (const [code, { card, id, box }] of now.seen) {
      const was = old.seen.get(code);
      if (was && was.id !== id) travel(code, was.box, box, card);
      else if (!was && now.gone < old.gone) travel(code, gone, box, card);
      else if (!was && same && drawn && waste(id)) travel(code, old.stock, box, card, closed && "up");
      // Any other card that was not seen lay below one that was.
    }
  }

  /** What is being covered lies there until what covers it has come. */
  function stay(code, box) {
    const covered = ghost(code, box);
    setTimeout(() => covered.remove(), TIME);
  }

  const flights = new Map(); // By card: its ghost in the air, and the card that it stands for, if there is one below.
  const land = (code) => flights.get(code)?.end();

  /** A ghost goes from one place to another, at once, from wherever it is; the card can already be pressed meanwhile.
      One that turns over is seen edge-on half-way: its back flies the other half. */
  function travel(what, start, goal, card, turn) {
    const code = what.value ?? what;
    const air = flights.get(code)?.ghost;
    const from = air ? lies(air) : start;
    land(code);
    const flying = ghost(what, from);
    const hidden = card?.animate({ opacity: [0, 0] }, TIME);
    const way = (part) => `translate(${(goal.left - from.left) * part}px,${(goal.top - from.top) * part}px)`;
    const [edge, timing] = [`${way(0.5)} scaleX(0)`, { duration: TIME * (card ? 1 : 1.2), easing: ease, fill: "forwards" }];
    const [leaves, comes] = [["none", edge, edge], [edge, edge, way(1)]];
    const path = { up: comes, down: leaves }[turn] ?? ["none", way(1)];
    const motion = flying.animate({ transform: path, opacity: card || turn ? [1, 1] : [1, 1, 0] }, timing);
    const back = turn && ghost({ id: "stock" }, from);
    if (back) back.animate({ transform: turn === "up" ? leaves : comes }, timing);
    const end = () => {
      if (flights.get(code)?.end === end) flights.delete(code);
      hidden?.cancel();
      flying.remove();
      if (back) back.remove();
    };
    flights.set(code, { ghost: flying, card, end });
    motion.finished.then(end, end);
  }

  /** Where a ghost lies, as if it were not tilted. */
  function lies(ghost) {
    const [x, y] = middle(ghost);
    const [width, height] = [ghost.offsetWidth, ghost.offsetHeight];
    return new DOMRect(x - width / 2, y - height / 2, width, height);
  }

  /** The likeness of a card, or of the stock, in the air above all else. */
  function ghost(what, box) {
    const made = document.createElement("span");
    if (what.id) {
      made.className = "back";
    } else {
      made.setAttribute("name", "card");
      made.setAttribute("value", what);
      made.textContent = what.replace("T", "10").slice(0, -1);
    }
    Object.assign(made.style, { left: `${box.left}px`, top: `${box.top}px` });
    let air = $(".ghosts");
    if (!air) {
      air = document.createElement("div");
      air.className = "ghosts";
      air.setAttribute("aria-hidden", "true");
      document.body.append(air);
    }
    air.append(made);
    return made;
  }

  // ---- Dragging: what is dropped is clicked, so that the form posts what two clicks would ----
  const STEP = 8; // Pixels a press may stray and still be a click.
  const LATE = 400; // Milliseconds within which a click belongs to the drag before it.
  const HELD = "#table [name=card]:enabled:not([aria-disabled]), #stock.back:enabled:not([aria-disabled])";
  let drag = null; // The press under way: of a pointer, from a point; with a ghost once it is lifted.
  let dropped = null; // What was dropped and waits for the answer.
  let ended = -Infinity;

  const source = ({ code, stock }) => (stock ? $("#stock.back") : find(code));
  const playable = (element) => element?.matches(HELD) && !$("#table").matches(".left, :has(.notice.won)");

  document.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button || (drag && !drag.over)) return;
    const held = event.target.closest(HELD);
    ended = -Infinity;
    drag = playable(held)
      ? { id: event.pointerId, x: event.clientX, y: event.clientY, code: held.value, stock: held.id === "stock", piled: held.id.startsWith("stock") }
      : null;
  });

  document.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.id || drag.over) return;
    if (!event.buttons) return letGo(); // It was released where nobody could hear it.
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost && (Math.hypot(x, y) <= STEP || !lift(event))) return;
    drag.ghost.style.translate = `${x}px ${y}px`;
    Object.assign(drag, { at: [event.clientX, event.clientY], far: Math.hypot(x, y) });
    aim();
  });

  document.addEventListener("pointerup", (event) => {
    if (event.pointerId !== drag?.id) return;
    if (drag.ghost || drag.over) ended = event.timeStamp;
    if (drag.ghost) drop();
    drag = null;
  });

  document.addEventListener("pointercancel", (event) => { if (event.pointerId === drag?.id) letGo(); });
  window.addEventListener("blur", () => letGo());

  // The click at the end of a drag is none, nor is that of another pointer meanwhile. Keys and scripts click with detail 0.
  document.addEventListener("click", (event) => {
    if (!event.detail || !(drag?.ghost || event.timeStamp - ended < LATE)) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  function lift(event) {
    const held = source(drag);
    if (!playable(held)) {
      drag.over = true;
      return false;
    }
    root.setPointerCapture(event.pointerId);
    land(drag.code);
    drag.was = chosen().value;
    drag.ghost = ghost(drag.stock ? held : drag.code, held.getBoundingClientRect());
    drag.ghost.classList.add("held");
    take();
    return true;
  }

  /** Mark what is lifted, and what it goes with. */
  function take() {
    if (!drag.stock) choose(drag.code);
    source(drag).classList.add("lifted");
    if (drag.at) aim();
  }

  /** Mark where a drop would do something: a partner, the foundation for a card that goes alone, the waste for the stock. */
  function aim() {
    const far = drag.far;
    const box = lies(drag.ghost);
    const top = document.elementFromPoint(...drag.at);
    const share = (element) => {
      if (element.contains(top)) return 1;
      const over = element.getBoundingClientRect();
      const across = Math.min(box.right, over.right) - Math.max(box.left, over.left);
      const down = Math.min(box.bottom, over.bottom) - Math.max(box.top, over.top);
      return far < box.width * 0.35 || across < 0 || down < 0 ? 0 : (across * down) / (box.width * box.height);
    };
    const nearest = (all) =>
      all.map((element) => [share(element), element]).filter(([part]) => part > 1 / 3).sort(([a], [b]) => b - a)[0]?.[1];
    const partner = drag.stock ? undefined : nearest(partners(drag.code).map(find));
    const gone = alone(drag.code) && (far > box.width || nearest([$("#gone")])) && $("#gone");
    const waste = drag.piled && nearest($$("#table .waste > :first-child"));
    const goal = partner ?? (gone || waste || null);
    drag.press = partner ?? (gone ? source(drag) : $("#draw, #stock"));
    if (goal !== drag.goal) drag.goal?.classList.remove("over");
    goal?.classList.add("over");
    drag.goal = goal;
  }

  function drop() {
    const held = drag;
    if (!held.goal) return letGo();
    drag = null;
    held.goal.classList.remove("over");
    if (held.press.name !== "card" || held.press.value === held.code) rest(held.was);
    dropped?.ghost.remove();
    dropped = held;
    const sent = last;
    held.press.click();
    if (last === sent) setDown();
  }

  /** Put back what is in the hand; what follows of its press does nothing. */
  function letGo() {
    const held = drag;
    if (!held?.ghost) {
      if (!held?.over) drag = null;
      return;
    }
    drag = { id: held.id, over: true };
    held.goal?.classList.remove("over");
    rest(held.was);
    dropped?.ghost.remove();
    dropped = held;
    setDown();
  }

  /** What was chosen before is chosen again, as long as it lies open. */
  function rest(was) {
    if (chosen().value !== was) choose(open().some((card) => card.value === was) ? was : "");
  }

  /** What was dropped goes back to its place. */
  function setDown() {
    if (!dropped) return;
    const { code, stock, ghost: air } = dropped;
    const card = source(dropped);
    const from = lies(air);
    forget();
    if (card && !still.matches) travel(stock ? card : code, from, card.getBoundingClientRect(), card);
  }

  function forget() {
    for (const card of $$("#table .lifted")) card.classList.remove("lifted");
    dropped?.ghost.remove();
    dropped = null;
    if (drag?.ghost) take();
  }

  // ---- The keyboard ----
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const KEYS = { d: "#draw, #stock", u: "#undo", r: "#redo", h: "#which, #hint", n: "#new", p: "[name=pause]", "?": "#help" };
  const WITH_CTRL = { z: "#undo", Z: "#redo", y: "#redo" };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || $("dialog[open]")) return;
    if (event.target.closest("input:not([type=hidden]), textarea, select")) return;
    const typed = event.key.toLowerCase();
    const held = event.ctrlKey || event.metaKey;
    if (event.key === "Escape" && !held) return drag?.ghost ? letGo() : putBack();
    const arrow = !held && ARROWS[event.key];
    const key = held ? WITH_CTRL[event.shiftKey ? typed.toUpperCase() : typed] : KEYS[typed];
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
      shut();
    } else if (chosen().value) {
      const card = $("#table [aria-pressed=true]");
      choose("");
      if (card) say(words.unchosen, name(card));
    }
  }

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

  // ---- Pause: nobody plays a table that is not looked at. Who goes to another page or reloads only passes by. ----
  let leaving = false;
  window.addEventListener("pagehide", () => { leaving = true; });
  document.addEventListener("visibilitychange", pauseUnseen);
  function pauseUnseen() {
    if (document.visibilityState === "hidden" && !leaving && !busy() && !kept.length) $("[name=pause][value=on]")?.click();
  }

  // ---- The clock ----
  let since = 0;
  const two = (number) => String(number).padStart(2, "0");

  function start() {
    since = Date.now() - 1000 * Number(table().seconds);
    // As long as its menu is on the way, a game can be paused all the same.
    const pause = '<button name="pause" value="on" hidden></button>';
    if (table().version !== "0" && !("over" in table()) && !$("#resume"))
      $(".menu[hx-get]:not(:has(button))")?.insertAdjacentHTML("beforeend", pause);
  }

  setInterval(() => {
    if (!("running" in table())) return;
    const seconds = Math.floor((Date.now() - since) / 1000);
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    $("#clock").textContent = (hours ? `${hours}:${two(minutes % 60)}` : minutes) + `:${two(seconds % 60)}`;
  }, 1000);

  // ---- At the beginning ----
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  /** The first tap shall be as quick as the others: what changes a table is run once, on a copy that nobody meets. */
  function warmUp() {
    const copy = document.createElement("div");
    const text = `<div hidden><form><button>${Date.now()}</button></form></div>`;
    copy.hidden = true;
    copy.innerHTML = "<form><button></button><button></button></form>";
    document.body.append(copy);
    htmx.swap({ text, target: copy, sourceElement: copy, swap: "outerMorph" }).finally(() => {
      copy.remove();
      lying = look();
    });
  }

  start();
  choose(chosen().value);
  window.requestIdleCallback?.(warmUp);
})();
