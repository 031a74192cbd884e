import { readFileSync } from "node:fs";

import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Chapter, Section } from "../chapter.ts";
import { DOCS } from "../paths.ts";

const FILE = new URL("../../../../../CHANGELOG.md", import.meta.url);

/** The project's changelog. */
export function changelogChapter(text = readFileSync(FILE, "utf8")): Chapter {
  return {
    path: DOCS.changelog,
    title: "Changelog",
    introduction: markup`<p>What users notice, newest first.</p>`,
    sections: text.split(/^## /m).slice(1).map(release),
  };
}

/** A version with its lists. */
function release(part: string): Section {
  const [heading = "", ...lines] = part.split("\n");
  const title = heading.replace(/[[\]]/g, "");
  const lists = lines.join("\n").split(/^### /m).slice(1).map(listOf);
  return { id: title.toLowerCase().replace(/[^a-z0-9.]+/g, "-"), title, body: markup`${lists}` };
}

function listOf(part: string): Markup {
  const [heading = "", ...lines] = part.split("\n");
  const items = lines.join("\n").split(/^- /m).slice(1);
  return markup`<h3>${heading}</h3>
    <ul>${items.map((item) => markup`<li>${inline(item)}</li>`)}</ul>`;
}

/** Renders code and bold text. Links lead to files of the repository, so only their text is kept. */
function inline(text: string): Markup {
  const words = text
    .replace(/\[([^[\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
  const parts = words.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`")) return markup`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("**")) return markup`<strong>${part.slice(2, -2)}</strong>`;
    return markup`${part}`;
  });
  return markup`${parts}`;
}
