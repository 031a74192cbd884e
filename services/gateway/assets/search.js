// Looks through the sections of all chapters. The index is loaded when the field is first used.
const FOUND_MAX = 8;
const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 120;

const form = document.querySelector("form.search");
const field = form.querySelector("input");
const panel = form.querySelector(".found");
const status = panel.querySelector("[role=status]");
const list = panel.querySelector("ul");
let index;

form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
field.addEventListener("focus", () => (index ??= load()));
field.addEventListener("input", show);
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select");
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === "Escape") close();
});
document.addEventListener("click", ({ target }) => {
  if (!form.contains(target) || target.closest("a")) close();
});

function close() {
  panel.hidden = true;
  field.value = "";
}

async function load() {
  const response = await fetch("/docs/search.json");
  if (!response.ok) throw new Error(`The index cannot be loaded: ${response.status}.`);
  return response.json();
}

async function show() {
  const wanted = field.value.trim();
  panel.hidden = wanted === "";
  if (panel.hidden) return;
  let places;
  try {
    places = await (index ??= load());
  } catch {
    index = undefined;
    status.textContent = "The search is not available. Try again.";
    return;
  }
  if (field.value.trim() !== wanted) return;
  const words = wanted.toLowerCase().split(/\s+/);
  const found = places
    .map((place) => ({ place, score: scoreOf(place, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, FOUND_MAX);
  status.textContent = found.length === 0 ? `Nothing found for “${wanted}”.` : "";
  list.replaceChildren(...found.map(({ place }) => entryOf(place, words)));
}

/** 0 unless every word is there; words of titles weigh more. */
function scoreOf({ title, chapter, text }, words) {
  let score = 0;
  for (const word of words) {
    if (title.toLowerCase().includes(word)) score += 10;
    else if (chapter.toLowerCase().includes(word)) score += 3;
    else if (text.toLowerCase().includes(word)) score += 1;
    else return 0;
  }
  return score;
}

function entryOf({ title, chapter, url, text }, words) {
  const link = element("a", "");
  link.href = url;
  link.append(element("strong", title), element("span", ` ${chapter}`), excerptOf(text, words));
  const entry = document.createElement("li");
  entry.append(link);
  return entry;
}

/** The text around the first word that is in it. */
function excerptOf(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - EXCERPT_BEFORE);
  const from = places.length === 0 ? 0 : start;
  const cut = text.slice(from, from + EXCERPT_LENGTH);
  return element(
    "small",
    `${from > 0 ? "… " : ""}${cut}${text.length > from + EXCERPT_LENGTH ? " …" : ""}`,
  );
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
