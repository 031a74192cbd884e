import { describeConfidence } from "@nutrition/core/figures";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import { MACROS, OTHERS } from "@nutrition/core/nutrients";

import type { FoodItem } from "../../clients/journal-documents.ts";
import type { Display } from "../../domain/display.ts";
import { foreign } from "../foreign.ts";
import type { DayLine } from "./day-line.ts";
import { changeButtons, sentences } from "./item-sentences.ts";
import { exact } from "./totals-view.ts";

const NOTHING = markup``;
const TEXT_SHOWN_CHARACTERS = 500;
const DETAILS_SHOWN_CHARACTERS = 1_500;

/** One line of the day: its figures, their assumptions, and how to change it. */
export function itemRow(line: DayLine, display: Display): Markup {
  const { item } = line;
  const name = markup`<span class="item-name">${nameOf(item)}</span>`;
  if (item.is_water_entry) {
    const { water_milliliters: volume } = item;
    return markup`<li>
      ${name}
      <span class="item-energy">${exact(volume, display.volume(volume))}</span>
      ${details(markup`<span class="soft">More</span>`, { line, facts: NOTHING })}
      ${changeButtons(line)}
    </li>`;
  }
  return markup`<li>
    ${name}
    <span class="item-energy">${exact(item.calories, display.energy(item.calories))}</span>
    <span class="item-facts soft">${facts(item, display)}</span>
    ${details(markup`${confidence(item)}${comment(item)}`, { line, facts: moreFacts(item, display) })}
    ${changeButtons(line)}
  </li>`;
}

function nameOf({ description }: FoodItem): Markup {
  return foreign(description ?? "Unnamed", TEXT_SHOWN_CHARACTERS);
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

/** The assumptions, always visible, and further details on a click. */
function details(
  assumed: Markup,
  { line, facts: known }: { line: DayLine; facts: Markup },
): Markup {
  return markup`<details class="item-more">
    <summary>${assumed}<span class="unseen"> More about ${nameOf(line.item)}</span></summary>
    ${known}
    ${sentences(line)}
  </details>`;
}

function moreFacts(item: FoodItem, display: Display): Markup {
  const amounts = OTHERS.filter(({ key }) => item[key] !== null).map(({ key, label, unit }) => {
    const amount = item[key]!;
    return markup`<li>${label} ${exact(amount, display.amount(amount, unit))}</li>`;
  });
  const told =
    item.detailed_description === null
      ? NOTHING
      : markup`<p>Details for the estimate:
          ${foreign(item.detailed_description, DETAILS_SHOWN_CHARACTERS)}</p>`;
  return markup`${told}<ul class="plain">${amounts}</ul>`;
}
