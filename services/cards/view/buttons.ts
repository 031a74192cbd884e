import { el } from "./dom.ts";
import type { Child } from "./dom.ts";

/** A button; `about` says for screen readers what it is about. */
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

/** Tells what has happened or why not; refusals interrupt a screen reader. */
export function statusText(text: string, isProblem = false): HTMLElement {
  return el(
    "p",
    { class: isProblem ? "problem" : "status", role: isProblem ? "alert" : "status" },
    text,
  );
}

/** What has happened, with what can be done about it. */
export function note(text: string, ...buttons: (HTMLElement | undefined)[]): HTMLElement {
  return el("div", { class: "note" }, statusText(text), buttons);
}

/** What went wrong, with what can be done about it. */
export function problemNote(text: string, ...buttons: HTMLElement[]): HTMLElement {
  return el("div", { class: "note" }, statusText(text, true), buttons);
}
