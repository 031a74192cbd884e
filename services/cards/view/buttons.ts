import { el } from "./dom.ts";
import type { Child } from "./dom.ts";

/** A button; `about` names its subject for screen readers. */
export function button(
  label: Child,
  press: () => void,
  { kind = "plain", about }: { kind?: "plain" | "main" | "danger"; about?: Child } = {},
): HTMLButtonElement {
  return el(
    "button",
    { type: "button", class: kind, click: press },
    label,
    about !== undefined && el("span", { class: "unseen" }, " ", about),
  );
}

/** A message about the outcome of an action; refusals interrupt a screen reader. */
export function statusText(text: string, isProblem = false): HTMLElement {
  return el(
    "p",
    { class: isProblem ? "problem" : "status", role: isProblem ? "alert" : "status" },
    text,
  );
}

/** A message about a success, with possible next actions. */
export function note(text: string, ...buttons: (HTMLElement | undefined)[]): HTMLElement {
  return el("div", { class: "note" }, statusText(text), buttons);
}

/** A message about an error, with possible next actions. */
export function problemNote(text: string, ...buttons: HTMLElement[]): HTMLElement {
  return el("div", { class: "note" }, statusText(text, true), buttons);
}
