import { describeConfidence } from "@nutrition/core/figures";
import { MACROS } from "@nutrition/core/nutrients";

import { el, foreign } from "./dom.ts";
import type { Child } from "./dom.ts";
import type { FoodItem } from "./documents.ts";
import { amount, energy, water } from "./formats.ts";

/** A line of the journal with its figures. */
export function itemView(item: FoodItem, { withRemark }: { withRemark: boolean }): Child[] {
  const amount = item.is_water_entry ? water(item.water_milliliters) : energy(item.calories);
  return [
    el(
      "p",
      { class: "item-line" },
      el("span", { class: "item-name" }, foreign(item.description ?? "Unnamed")),
      " ",
      el("span", { class: "item-energy" }, amount),
    ),
    !item.is_water_entry && el("p", { class: "soft item-facts" }, facts(item)),
    (withRemark || isReadAsOther(item)) && remark(item),
  ];
}

function facts(item: FoodItem): string {
  const known = MACROS.filter(({ key }) => item[key] !== null).map(
    ({ key, name }) => `${amount(item[key]!, "g")} ${name}`,
  );
  const unknown = MACROS.filter(({ key }) => item[key] === null).map(({ name }) => name);
  const { confidence_score: score } = item;
  return [
    ...known,
    ...(unknown.length === 0 ? [] : [`${unknown.join(", ")} not known`]),
    ...(score === null ? [] : [describeConfidence(score)]),
  ].join(" · ");
}

/** Whether a word was read as a different food, which the person should notice. */
function isReadAsOther({ ai_comment: text }: FoodItem): boolean {
  return /^(?:Read|Took it) as /.test(text ?? "");
}

function remark({ ai_comment: text }: FoodItem): Child {
  return text !== null && el("p", { class: "soft item-remark" }, foreign(text));
}
