import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

/** The languages of an example that readers choose from, with their names. */
export const LANGUAGES = { curl: "curl", javascript: "JavaScript", python: "Python" } as const;
export type Language = keyof typeof LANGUAGES;

/** Code with a button that copies it. With `language`, only readers who chose that language see it. */
export function codeBlock(
  code: string,
  { label, language }: { label: string; language?: Language },
): Markup {
  const chosen = language === undefined ? "" : markup` data-language="${language}"`;
  // Keyboards can scroll it sideways only if it has a tab stop.
  return markup`<div class="code"${chosen}>
    <p class="label">${label}</p>
    <button type="button" class="copy" hidden>Copy</button>
    <pre tabindex="0"><code>${code}</code></pre>
  </div>`;
}

/** The same example in every language. */
export function inLanguages(examples: Readonly<Record<Language, string>>): Markup {
  const languages = Object.keys(LANGUAGES) as Language[];
  const blocks = languages.map((language) =>
    codeBlock(examples[language], { label: LANGUAGES[language], language }),
  );
  return markup`${blocks}`;
}

/** JSON as the examples show it. */
export function jsonBlock(value: unknown, label: string): Markup {
  return codeBlock(JSON.stringify(value, undefined, 2), { label });
}
