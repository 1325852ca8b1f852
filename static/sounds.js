/* Quiet sounds of the table, made on the spot: noise through a filter for paper, short sines for wood. Loaded only where they are chosen. */
"use strict";

(() => {
  const $ = (selector) => document.querySelector(selector);
  const IDLE = 10_000; // Milliseconds after the last press or sound in which the device is kept awake.
  const FAINT = 0.0001; // What cannot be heard; an exponential ramp never reaches nothing.

  // ---- The one audio context: made by the first press or key, as browsers want it, and asleep while nobody listens ----
  let audio = null;
  let hiss = null;
  let idle = 0;

  const rest = () => audio?.suspend().catch(() => {});

  function wake() {
    if (document.hidden || navigator.userActivation?.hasBeenActive === false) return;
    try {
      audio ??= new AudioContext();
      audio.resume().catch(() => {});
      clearTimeout(idle);
      idle = setTimeout(rest, IDLE);
    } catch {
      audio = null; // Without sound the table is played as ever.
    }
  }

  // A finger counts as a press only once it is lifted.
  for (const press of ["pointerdown", "pointerup", "keydown"]) document.addEventListener(press, wake);
  document.addEventListener("visibilitychange", () => { if (document.hidden) rest(); });

  // ---- What sounds are made of: times in seconds, frequencies in hertz, levels of 1 at the most ----
  /** A second of white noise. */
  function noise() {
    if (!hiss) {
      hiss = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
      hiss.getChannelData(0).forEach((_, at, samples) => { samples[at] = 2 * Math.random() - 1; });
    }
    return hiss;
  }

  /** Let a source be heard for a while: it swells for a part of it, then dies away. */
  function sound(source, start, length, level, swell) {
    const gain = audio.createGain();
    gain.gain.setValueAtTime(FAINT, start);
    gain.gain.exponentialRampToValueAtTime(level, start + length * swell);
    gain.gain.exponentialRampToValueAtTime(FAINT, start + length);
    gain.connect(audio.destination);
    source.start(start, source.buffer ? Math.random() / 2 : undefined);
    source.stop(start + length);
    return gain;
  }

  /** A brush of paper, whose colour glides from one pitch to another. */
  function brush(start, length, level, [from, to], swell = 0.1) {
    const filter = audio.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.setValueAtTime(from, start);
    filter.frequency.exponentialRampToValueAtTime(to, start + length);
    const source = audio.createBufferSource();
    source.buffer = noise();
    source.connect(filter).connect(sound(source, start, length, level, swell));
  }

  /** Wood that is struck, or a string that is plucked. */
  function tone(start, length, level, pitch) {
    const source = audio.createOscillator();
    source.frequency.value = pitch;
    source.connect(sound(source, start, length, level, Math.min(0.1, 0.004 / length)));
  }

  /** A card that is put down. */
  function tap(start, depth = 1) {
    tone(start, 0.08, 0.05, 190 * depth);
    brush(start, 0.06, 0.14, [1500 * depth, 600 * depth]);
  }

  const SOUNDS = {
    tick(now) {
      brush(now, 0.03, 0.08, [3200, 2200]);
      tone(now, 0.04, 0.02, 1100);
    },
    discard(now, depth = 1) {
      tap(now, depth);
      brush(now + 0.03, 0.12, 0.06, [2600 * depth, 1400 * depth], 0.5);
      tap(now + 0.11, depth * 1.12);
    },
    draw(now) {
      brush(now, 0.17, 0.09, [1500, 3800], 0.6);
      tap(now + 0.15);
    },
    redeal(now) {
      for (let card = 0; card < 8; card++) brush(now + card * 0.036, 0.05, 0.07 + card * 0.005, [1500 + card * 120, 900]);
      tap(now + 0.3);
    },
    undo(now) {
      brush(now, 0.16, 0.1, [700, 1700], 0.85);
      tap(now + 0.15, 0.7);
    },
    redo(now) {
      SOUNDS.discard(now, 0.75);
    },
    knock(now) {
      tone(now, 0.11, 0.05, 95);
      brush(now, 0.04, 0.05, [320, 200]);
    },
    won(now) {
      SOUNDS.discard(now);
      for (const [at, pitch] of [293.66, 369.99, 440, 587.33].entries())
        for (const [part, level] of [0.06, 0.02, 0.01].entries())
          tone(now + 0.22 + at * 0.15, 0.8 / 2 ** part, level, pitch * (part + 1));
    },
  };

  function play(name) {
    if (!audio || document.hidden) return;
    wake();
    try {
      SOUNDS[name](audio.currentTime + 0.005);
    } catch {
      // A sound that cannot be made is none.
    }
  }

  // ---- When there is something to be heard ----
  const pressed = () => $("#table [aria-pressed=true]")?.value ?? "";
  let chosen = pressed();
  let before = null; // How the table stood while an answer is being put in its place.

  function choice() {
    if (before || chosen === pressed()) return;
    chosen = pressed();
    if (chosen) play("tick");
  }

  new MutationObserver(choice).observe($("main"), { subtree: true, attributeFilter: ["aria-pressed"] });

  document.addEventListener("click", (event) => {
    if (event.target.closest("#table button[aria-disabled]")) play("knock");
  });

  const look = () => ({ version: $("#table").dataset.version, gone: Number($("#gone")?.textContent), won: Boolean($(".notice.won")) });

  /** What is heard of an answer: what was asked for, if it has changed the table; the cards gone tell a discard. */
  function heard(old, now, { name, value }) {
    if ($(".notice.refused, .notice.stale")) return "knock";
    if (old.version === now.version) return "";
    if (now.won && !old.won) return "won";
    if (name === "back") return "undo";
    if (name === "action") return value;
    return now.gone > old.gone ? "discard" : "";
  }

  const ofTable = (event) => event.detail.ctx.sourceElement?.hasAttribute("hx-post");

  document.addEventListener("htmx:before:swap", (event) => {
    if (!ofTable(event)) return;
    const { name, value } = event.detail.ctx.request.submitter ?? {};
    before = { table: look(), by: { name, value } };
  });

  document.addEventListener("htmx:after:swap", (event) => {
    if (!before || !ofTable(event)) return;
    const name = heard(before.table, look(), before.by);
    before = null;
    if (!name) return choice();
    chosen = pressed(); // What was chosen stays so, or has gone.
    queueMicrotask(() => play(name));
  });

  document.addEventListener("htmx:finally:swap", (event) => { if (ofTable(event)) before = null; });
})();
