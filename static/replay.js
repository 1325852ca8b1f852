/* A replay, or a solution, without reloading: steps, the keys, a replay's slider and playing. Each step is also a link. */
"use strict";

(() => {
  const root = document.documentElement;
  const $ = (selector) => document.querySelector(selector);
  const $$ = (selector) => [...document.querySelectorAll(selector)];
  const words = $("main").dataset;
  const PACE = 900; // Milliseconds between two positions while it plays.
  const KEPT = 300;

  root.classList.add("js");

  // ---- Positions, fetched once ----
  const fetched = new Map();
  let wanted = at();

  function at() {
    return Number($("#position").dataset.at);
  }

  function of() {
    return Number($("#position").dataset.of);
  }

  function fragment(number) {
    if (!fetched.has(number)) {
      if (fetched.size >= KEPT) fetched.clear();
      // A solution has no address for a position alone: it is taken out of the page.
      const coming = fetch(words.position ? `${words.position}?at=${number}` : address(number)).then((answer) => {
        if (!answer.ok) throw new Error(answer.statusText);
        return answer.text();
      });
      coming.catch(() => fetched.delete(number));
      fetched.set(number, coming);
    }
    return fetched.get(number);
  }

  function address(number) {
    return number ? `${words.page}${words.page.includes("?") ? "&" : "?"}at=${number}` : words.page;
  }

  /** Show a position; of several asked for in haste, the last. */
  async function go(number) {
    wanted = Math.min(Math.max(number, 0), of());
    const goal = wanted;
    try {
      const html = await fragment(goal);
      if (goal === wanted) show(goal, html);
    } catch {
      if (goal === wanted) location.assign(address(goal));
    }
  }

  function show(number, html) {
    const focus = document.activeElement.closest("#position") && (document.activeElement.id || "next");
    const made = document.createElement("template");
    made.innerHTML = html;
    $("#position").replaceWith(made.content.querySelector("#position"));
    // At an end the link that led there leads no further, and takes no focus.
    if (focus) ($(`#${focus}[href]`) ?? $(number ? "#back" : "#next")).focus({ preventScroll: true });
    for (const field of $$("input[name=at]")) field.value = number;
    mark();
    history.replaceState(history.state, "", address(number));
    if (!playing) $("#live").textContent = $("#said").textContent;
    if (number < of()) fragment(number + 1).catch(() => {});
  }

  /** The strip comes and goes by itself; the position that is shown stands out in it. */
  function mark() {
    for (const one of $$(".strip .mark")) {
      if (Number(one.dataset.go) === at()) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
  }

  document.addEventListener("htmx:after:swap", mark);

  // ---- Playing ----
  const play = $("#play");
  let playing = 0;

  function pause() {
    if (!playing) return;
    clearTimeout(playing);
    playing = 0;
    play.textContent = words.play;
  }

  async function step() {
    await go(at() + 1);
    if (playing && at() < of()) playing = setTimeout(step, PACE);
    else pause();
  }

  async function toggle() {
    if (playing) return pause();
    play.textContent = words.pause;
    playing = setTimeout(step, PACE / 2);
    if (at() === of()) await go(0);
  }

  // ---- The hand ----
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const target = event.target.closest("[data-go], #play");
    if (target?.id === "play") toggle();
    else if (target) {
      event.preventDefault();
      pause();
      go(Number(target.dataset.go));
    }
  });

  $("#at")?.addEventListener("input", (event) => {
    pause();
    go(Number(event.target.value));
  });

  // ---- The keyboard ----
  const KEYS = { ArrowLeft: () => wanted - 1, ArrowRight: () => wanted + 1, Home: () => 0, End: of };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const slider = event.target.closest("input");
    if (event.key === " " && play && !event.target.closest("button")) toggle();
    else if (event.key in KEYS && !slider) {
      pause();
      go(KEYS[event.key]());
    } else return;
    event.preventDefault();
  });
})();
