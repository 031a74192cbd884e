import { foreignText } from "@nutrition/core/foreign-text";

import { amountOf, withAmount } from "../src/domain/line-amount.ts";
import { button } from "./buttons.ts";
import { el, foreign } from "./dom.ts";
import type { FoodItem } from "./documents.ts";

const LINE_MAX = 500;

/** Actions on an item. */
export interface ItemActs {
  save(line: string): void;
  logAgain(): void;
  remove(): void;
  close(): void;
}

/** The fields and buttons for changing one item, with the last typed line. */
export function itemEditor(item: FoodItem, typed: string, acts: ItemActs): HTMLElement {
  // Sends exactly what is visible, without deceptive invisible characters.
  const text = foreignText(typed, LINE_MAX);
  const line = el("input", { class: "line", value: text, maxlength: LINE_MAX, dir: "auto" });
  const save = () => {
    const changed = line.value.trim();
    if (changed !== "" && changed !== item.description) acts.save(changed);
    else acts.close();
  };
  const about = foreign(item.description ?? "Unnamed");
  const panel = el(
    "div",
    {
      class: "editor",
      role: "group",
      "aria-label": "Change this line",
      keydown: (event) => {
        const { key, target } = event as KeyboardEvent;
        if (key === "Escape") acts.close();
        else if (key === "Enter" && target instanceof HTMLInputElement) save();
      },
    },
    el("div", { class: "fields" }, amountField(line), labelled("Line", line)),
    el(
      "div",
      { class: "buttons" },
      button("Save", save, { kind: "main", about }),
      button("Log again today", acts.logAgain, { about }),
      button("Delete", acts.remove, { kind: "danger", about }),
      button("Close", acts.close),
    ),
  );
  return panel;
}

/** Changes the number in the line; absent if the line has none. */
function amountField(line: HTMLInputElement): HTMLElement | false {
  const amount = amountOf(line.value);
  if (!amount) return false;
  const input = el("input", {
    class: "amount",
    inputmode: "decimal",
    maxlength: 10,
    value: amount.text,
    input: () => {
      const typed = input.value.trim();
      if (amountOf(typed)?.text === typed) line.value = withAmount(line.value, typed);
    },
  });
  line.addEventListener("input", () => {
    input.value = amountOf(line.value)?.text ?? "";
  });
  return labelled("Amount", input);
}

function labelled(label: string, input: HTMLInputElement): HTMLElement {
  return el("label", {}, el("span", {}, label), input);
}
