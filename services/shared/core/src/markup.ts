/**
 * Text that is already HTML. (The tag is not called `html`, because formatters would then move
 * white space.)
 */
export interface Markup {
  readonly html: string;
}

type Part = string | number | Markup | readonly Markup[];

/** HTML in which every value that is not already HTML is escaped. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const pieces = strings.map((text, index) => text + textOf(parts[index] ?? ""));
  return { html: pieces.join("") };
}

function textOf(part: Part): string {
  if (typeof part === "string") return escape(part);
  if (typeof part === "number") return String(part);
  return "html" in part ? part.html : part.map((one) => one.html).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
