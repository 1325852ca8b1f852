/* Shows one page where the server cannot be reached. It keeps that page and its styles, never a game, and meets nothing
   but a browser's way to a page (GET) and those styles. Everything else goes its way as if nobody were here. */
"use strict";

const PAGE = "{{ view.page_url }}";
const OURS = "{{ view.ours }}";
const KEPT = "{{ view.ours }}{{ view.mark }}";

/** The page as it is for everyone, without the player's cookies, and the styles that it names. */
async function keep() {
  const cache = await caches.open(KEPT);
  const page = await fetch(PAGE, { credentials: "omit", cache: "no-store" });
  if (!page.ok) throw new Error("no page to keep");
  const html = await page.clone().text();
  // The styles carry their mark in their address, so what is kept can never be out of date.
  await cache.addAll([...html.matchAll(/rel="stylesheet" href="([^"]+)"/g)].map((found) => found[1]));
  await cache.put(PAGE, page);
}

async function begin() {
  for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== KEPT) await caches.delete(name);
  // The browser asks the server while this script is still being started: the way to a page is no longer for it.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(PAGE, { cacheName: KEPT })) ?? Response.error();
  }
}

async function style(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request.url, { cacheName: KEPT })) ?? Response.error();
  }
}

addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(begin()));
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  if (event.request.mode === "navigate") event.respondWith(page(event));
  else if (event.request.destination === "style") event.respondWith(style(event.request));
});
