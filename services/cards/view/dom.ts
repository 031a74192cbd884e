import { foreignText } from "@nutrition/core/foreign-text";

/** Longest line that the journal stores, in characters. */
const LINE_MAX = 500;

export type Child = Node | string | undefined | false | readonly Child[];
type Listener = (event: Event) => void;
type Attributes = Readonly<Record<string, string | number | boolean | undefined | Listener>>;

/**
 * Creates an element. A function as an attribute listens to the event of that name; `true` sets an attribute
 * without a value, and `false` or undefined omits it. Text children are never parsed as markup.
 */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  decorate(element, attributes);
  append(element, children);
  return element;
}

/** Creates an SVG element. */
export function svg(tag: string, attributes: Attributes, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  decorate(element, attributes);
  append(element, children);
  return element;
}

/** Embeds untrusted text: sanitized, truncated, and isolated in its writing direction. */
export function foreign(text: string): HTMLElement {
  return el("bdi", {}, foreignText(text, LINE_MAX));
}

function decorate(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child as readonly Child[]);
    else if (child !== undefined && child !== false) parent.append(child as Node | string);
  }
}
