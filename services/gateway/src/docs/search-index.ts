import type { Markup } from "@nutrition/core/markup";

import type { Chapter } from "./chapter.ts";

/** A search result. */
interface Place {
  readonly title: string;
  readonly chapter: string;
  readonly url: string;
  /** The section's text without code. */
  readonly text: string;
}

/** The index of the pages' search, in the order of the chapters. */
export function searchIndex(chapters: readonly Chapter[]): Place[] {
  return chapters.flatMap(({ path, title: chapter, sections }) =>
    sections.map(({ id, title, body }) => ({
      title,
      chapter,
      url: `${path}#${id}`,
      text: textOf(body),
    })),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

function textOf({ html }: Markup): string {
  return html
    .replace(/<(pre|button|form)\b[\s\S]*?<\/\1>/g, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, " ")
    .trim();
}
