import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Profile } from "../../clients/account-profile.ts";
import { hasFullAccess } from "../../clients/account-profile.ts";
import type { Summary } from "../../clients/journal-documents.ts";
import type { Display } from "../../domain/display.ts";
import { groupByOccasion } from "../../domain/occasions.ts";
import type { OccasionGroup } from "../../domain/occasions.ts";
import { accessNotice } from "../access-notice.ts";
import type { DayLine } from "./day-line.ts";
import { itemRow } from "./item-row.ts";

/** Meals and times of day that were mentioned, by item id. */
export type Occasions = Readonly<Record<string, string>>;

/** Lists the items of a day, by meal if meals were mentioned; shows `ifEmpty` if there are none. */
export function itemsSection(
  { date, entries }: Summary,
  { occasions, ifEmpty }: { occasions: Occasions; ifEmpty: Markup },
  display: Display,
): Markup {
  const items = entries.flatMap((entry) => entry.items);
  const lines = items.map((item, index) => ({ id: item.id, item, line: index + 1, date }));
  const groups = groupByOccasion(lines, occasions);
  const isGrouped = groups.some(({ occasion }) => occasion !== undefined);
  const content = groups.map((group) =>
    isGrouped ? groupView(group, display) : itemList(group.items, display),
  );
  return markup`<section class="card" aria-labelledby="items">
    <h2 id="items">Food and drink</h2>
    ${items.length === 0 ? ifEmpty : content}
  </section>`;
}

function groupView({ occasion, items }: OccasionGroup<DayLine>, display: Display): Markup {
  const kcal = items.reduce((sum, { item }) => sum + item.calories, 0);
  const name = occasion === undefined ? "Without a meal" : capitalized(occasion);
  return markup`<div class="occasion">
      <h3>${name}</h3>
      <span class="soft">${display.energy(kcal)}</span>
    </div>
    ${itemList(items, display)}`;
}

function itemList(lines: readonly DayLine[], display: Display): Markup {
  return markup`<ol class="items">${lines.map((line) => itemRow(line, display))}</ol>`;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Whether an account is known to be without premium and beta. */
export function isBasicProfile(profile: Profile | undefined): boolean {
  return profile !== undefined && !hasFullAccess(profile);
}

/** Message for a day without food: how to log, or why this account cannot log yet. */
export function emptyDay(isToday: boolean, profile: Profile | undefined, baseUrl: string): Markup {
  return markup`<p>${isToday ? "Nothing has been logged today yet." : "Nothing was logged on this day."}</p>
    ${profile && isBasicProfile(profile) ? accessNotice(profile, baseUrl) : HOW_TO_LOG}`;
}

const HOW_TO_LOG = markup`<p class="soft">Food is logged by telling an assistant, such as “Log two
  scrambled eggs and a slice of toast”. <a href="/settings/connections">Connect an assistant</a> or
  <a href="/settings/keys">use an API key</a>.</p>`;
