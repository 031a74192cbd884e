import { describeConfidence } from "@nutrition/core/figures";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import { MACROS, OTHERS } from "@nutrition/core/nutrients";

import type { FoodItem } from "../../clients/journal-documents.ts";
import type { Display } from "../../domain/display.ts";
import { foreign } from "../foreign.ts";
import { exact } from "./totals-view.ts";

const NOTHING = markup``;
const TEXT_SHOWN_CHARACTERS = 500;
const DETAILS_SHOWN_CHARACTERS = 1_500;

/** One line of the day: its figures, and what was assumed for them. */
export function itemRow(item: FoodItem, display: Display): Markup {
  const description = foreign(item.description ?? "Unnamed", TEXT_SHOWN_CHARACTERS);
  if (item.is_water_entry) {
    const { water_milliliters: volume } = item;
    return markup`<li>
      <span class="item-name">${description}</span>
      <span class="item-energy">${exact(volume, display.volume(volume))}</span>
    </li>`;
  }
  return markup`<li>
    <span class="item-name">${description}</span>
    <span class="item-energy">${exact(item.calories, display.energy(item.calories))}</span>
    <span class="item-facts soft">${facts(item, display)}</span>
    ${moreAbout(item, display)}
  </li>`;
}

function facts(item: FoodItem, display: Display): Markup {
  const known = MACROS.filter(({ key }) => item[key] !== null);
  const unknown = MACROS.filter(({ key }) => item[key] === null);
  const amounts = known.map(({ key, name }) => {
    const amount = item[key]!;
    return markup`<span>${exact(amount, display.amount(amount, "g"))} ${name}</span> `;
  });
  const gap =
    unknown.length === 0
      ? NOTHING
      : markup`<span>${unknown.map(({ name }) => name).join(", ")} not known</span> `;
  return markup`${amounts}${gap}`;
}

function confidence({ confidence_score: score }: FoodItem): Markup {
  if (score === null) return NOTHING;
  const level = score >= 0.5 ? "" : " low";
  return markup`<span class="confidence${level}" title="Confidence ${score} of 1"
    >${describeConfidence(score)}</span> `;
}

function comment({ ai_comment: text }: FoodItem): Markup {
  return text === null ? NOTHING : foreign(text, TEXT_SHOWN_CHARACTERS);
}

/** What was assumed, which is always seen, and on a click what else is known. */
function moreAbout(item: FoodItem, display: Display): Markup {
  const amounts = OTHERS.filter(({ key }) => item[key] !== null).map(({ key, label, unit }) => {
    const amount = item[key]!;
    return markup`<li>${label} ${exact(amount, display.amount(amount, unit))}</li>`;
  });
  const told =
    item.detailed_description === null
      ? NOTHING
      : markup`<p>Details for the estimate:
          ${foreign(item.detailed_description, DETAILS_SHOWN_CHARACTERS)}</p>`;
  return markup`<details class="item-more">
    <summary>${confidence(item)}${comment(item)}<span class="unseen"> More about
      ${foreign(item.description ?? "this")}</span></summary>
    ${told}
    <ul class="plain">${amounts}</ul>
  </details>`;
}
