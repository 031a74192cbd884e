import { foreignText } from "@nutrition/core/foreign-text";

/** Longest line that the journal stores, in characters. */
const LINE_MAX = 500;

export type Child = Node | string | undefined | false | readonly Child[];
type Listener = (event: Event) => void;
type Attributes = Readonly<Record<string, string | number | boolean | undefined | Listener>>;

/**
 * Makes an element. An attribute that is a function listens to the event of that name; true is an
 * attribute without a value, and false or undefined none. Children that are texts are never markup.
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

/** Makes an element of a drawing. */
export function svg(tag: string, attributes: Attributes, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  decorate(element, attributes);
  append(element, children);
  return element;
}

/** Shows text from elsewhere within ours: sanitized, bounded, in its own writing direction. */
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
