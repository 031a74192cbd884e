import { describeConfidence, formatWater } from "@nutrition/core/figures";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import { MACROS, OTHERS } from "@nutrition/core/nutrients";

import type { Profile } from "../../clients/account-profile.ts";
import { hasFullAccess } from "../../clients/account-profile.ts";
import type { FoodItem, Settings, Summary } from "../../clients/journal-documents.ts";
import { accessNotice } from "../access-notice.ts";
import { foreign } from "../foreign.ts";
import { figure } from "./totals-view.ts";

const NOTHING = markup``;
const TEXT_SHOWN_CHARACTERS = 500;

/** Lists the items of a day; shows `ifEmpty` when there are none. */
export function itemsSection({ entries }: Summary, settings: Settings, ifEmpty: Markup): Markup {
  const items = entries.flatMap((entry) => entry.items);
  const content =
    items.length === 0
      ? ifEmpty
      : markup`<ol class="items">${items.map((item) => itemRow(item, settings))}</ol>`;
  return markup`<section class="card" aria-labelledby="items">
    <h2 id="items">Food and drink</h2>
    ${content}
  </section>`;
}

/** Message for a day without food: how to log, or why this account cannot yet. */
export function emptyDay(isToday: boolean, profile: Profile | undefined): Markup {
  const isBasic = profile !== undefined && !hasFullAccess(profile);
  return markup`<p>${isToday ? "Nothing has been logged today yet." : "Nothing was logged on this day."}</p>
    ${isBasic ? accessNotice(profile) : HOW_TO_LOG}`;
}

const HOW_TO_LOG = markup`<p class="soft">Food is logged by telling an assistant, such as “Log two
  scrambled eggs and a slice of toast”. <a href="/settings/connections">Connect an assistant</a> or
  <a href="/settings/keys">use an API key</a>.</p>`;

function itemRow(item: FoodItem, { water }: Settings): Markup {
  const description = foreign(item.description ?? "Unnamed", TEXT_SHOWN_CHARACTERS);
  if (item.is_water_entry) {
    return markup`<li>
      <span class="item-name">${description}</span>
      <span class="item-energy">${formatWater(item.water_milliliters, water.unit)}</span>
    </li>`;
  }
  return markup`<li>
    <span class="item-name">${description}</span>
    <span class="item-energy">${figure(item.calories)} kcal</span>
    <span class="item-facts soft">${facts(item)}</span>
    ${isReadAsOther(item) ? markup`<p class="item-reading soft">${comment(item)}</p>` : NOTHING}
    ${moreAbout(item)}
  </li>`;
}

function facts(item: FoodItem): Markup {
  const known = MACROS.filter(({ key }) => item[key] !== null);
  const unknown = MACROS.filter(({ key }) => item[key] === null);
  const amounts = known.map(
    ({ key, name, unit }) => markup`<span>${figure(item[key]!)} ${unit} ${name}</span> `,
  );
  const gap =
    unknown.length === 0
      ? NOTHING
      : markup`<span>${unknown.map(({ name }) => name).join(", ")} not known</span> `;
  const score = item.confidence_score;
  const confidence =
    score === null
      ? NOTHING
      : markup`<span title="Confidence ${score} of 1">${describeConfidence(score)}</span>`;
  return markup`${amounts}${gap}${confidence}`;
}

/** Whether a word was read as a different food, which the person should notice. */
function isReadAsOther({ ai_comment: text }: FoodItem): boolean {
  // What was stored by earlier versions says "Took it as".
  return /^(?:Read|Took it) as /.test(text ?? "");
}

function comment({ ai_comment: text }: FoodItem): Markup {
  return foreign(text ?? "", TEXT_SHOWN_CHARACTERS);
}

function moreAbout(item: FoodItem): Markup {
  const amounts = OTHERS.filter(({ key }) => item[key] !== null).map(
    ({ key, label, unit }) => markup`<li>${label} ${figure(item[key]!)} ${unit}</li>`,
  );
  const remarks = [
    item.ai_comment === null || isReadAsOther(item) ? NOTHING : markup`<p>${comment(item)}</p>`,
    item.detailed_description === null
      ? NOTHING
      : markup`<p>Details for the estimate: ${foreign(item.detailed_description, 1_500)}</p>`,
  ];
  if (amounts.length === 0 && remarks.every((remark) => remark === NOTHING)) return NOTHING;
  return markup`<details class="item-more">
    <summary>More<span class="unseen"> about ${foreign(item.description ?? "this")}</span></summary>
    ${remarks}
    <ul class="plain">${amounts}</ul>
  </details>`;
}
