// Replaces the changed parts of the page every 2 seconds while it is visible.
const REFRESH_MS = 2_000;
const htmlOf = (main) => [...main.children].map((part) => part.outerHTML);
let shown = htmlOf(document.querySelector("main"));

async function refresh() {
  if (document.hidden) return;
  const response = await fetch(location.href);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const parts = [...page.querySelector("main").children];
  const fresh = parts.map((part) => part.outerHTML);
  const focused = document.activeElement?.getAttribute("href");
  const scrolled = document.querySelector(".requests")?.scrollTop ?? 0;
  const main = document.querySelector("main");
  if (fresh.length === shown.length) {
    const places = [...main.children];
    parts.forEach((part, index) => {
      if (fresh[index] !== shown[index]) places[index].replaceWith(part);
    });
  } else main.replaceChildren(...parts);
  shown = fresh;
  document.querySelector(".requests")?.scrollTo(0, scrolled);
  if (focused && document.activeElement === document.body) {
    document.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
}

// The viewer may be briefly unavailable; the next attempt follows in 2 seconds.
setInterval(() => refresh().catch(() => undefined), REFRESH_MS);
