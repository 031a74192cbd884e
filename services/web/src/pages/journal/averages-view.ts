import type { CivilDate } from "@nutrition/core/civil-date";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import type { DailyAmountKey } from "@nutrition/core/nutrients";
import { MACROS, OTHERS } from "@nutrition/core/nutrients";
import { unitName } from "@nutrition/core/units";

import type { DayTotals } from "../../clients/journal-documents.ts";
import { averageDays, averageWeekdays, loggingStreak } from "../../domain/day-averages.ts";
import type { Display } from "../../domain/display.ts";
import { TREND_DAYS, TREND_DAYS_MAX } from "./trend-days.ts";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/** Minimum number of days with food for a meaningful weekday pattern. */
const PATTERN_DAYS_MIN = 14;

/** Data of the averages. */
export interface AveragesPart {
  /** Days with food, among them today. */
  readonly totals: readonly DayTotals[];
  readonly today: CivilDate;
  readonly isWaterShown: boolean;
}

/** Shows averages over several ranges, the weekday pattern and the streak of logged days. */
export function averagesSection(part: AveragesPart, display: Display): Markup {
  const { totals, today } = part;
  if (!totals.some(({ date }) => date < today)) return markup``;
  return markup`<section class="card" aria-labelledby="averages">
    <h2 id="averages">Averages</h2>
    <p class="soft">${streak(loggingStreak(totals, today))} Averages cover the days with food, except
      today.</p>
    ${averagesTable(part, display)}
    ${weekPattern(part, display)}
  </section>`;
}

function streak(days: number): string {
  if (days === 0) return "Nothing was logged yesterday or today.";
  const count = days > TREND_DAYS_MAX ? `More than ${TREND_DAYS_MAX}` : String(days);
  return days === 1 ? "1 day logged." : `${count} days logged in a row.`;
}

function averagesTable({ totals, today, isWaterShown }: AveragesPart, display: Display): Markup {
  const { energy, water } = display.units;
  const averages = TREND_DAYS.map((days) => averageDays(totals, { today, days }));
  const row = (label: string, name: DailyAmountKey, write: (value: number) => string) =>
    markup`<tr>
      <th scope="row">${label}</th>
      ${averages.map(({ means }) => markup`<td class="number">${means ? write(means[name]) : "–"}</td>`)}
    </tr>`;
  return markup`<div class="wide" tabindex="0" role="region" aria-label="Averages by range">
    <table class="averages">
      <thead>
        <tr>
          <th scope="col">A day, of</th>
          ${TREND_DAYS.map((days) => markup`<th scope="col" class="number">${days} days</th>`)}
        </tr>
      </thead>
      <tbody>
        ${row(`Energy, ${energy}`, "calories", (kcal) => display.energyFigure(kcal))}
        ${[...MACROS, ...OTHERS].map(({ key, label, unit }) => row(`${label}, ${unit}`, key, (value) => display.amountFigure(value, unit)))}
        ${isWaterShown ? row(`Water, ${unitName(water)}`, "water_milliliters", (value) => display.volumeFigure(value)) : ""}
        <tr>
          <th scope="row">Days with food</th>
          ${averages.map(({ loggedDays, days }) => markup`<td class="number">${loggedDays} of ${days}</td>`)}
        </tr>
      </tbody>
    </table>
  </div>`;
}

function weekPattern({ totals, today }: AveragesPart, display: Display): Markup {
  if (totals.length < PATTERN_DAYS_MIN) return markup``;
  const energies = averageWeekdays(totals, today).map((means) => means?.calories);
  const most = Math.max(...energies.map((kcal) => kcal ?? 0), 1);
  const rows = WEEKDAYS.map((name, at) => {
    const kcal = energies[at];
    const text = kcal === undefined ? "–" : display.energy(kcal);
    const bar =
      kcal === undefined
        ? ""
        : markup`<meter min="0" max="${most}" value="${kcal}" aria-label="${name}: ${text}"></meter>`;
    return markup`<li><span>${name}</span>${bar}<span class="number">${text}</span></li>`;
  });
  return markup`<h3 class="week-title">Energy by weekday <span class="soft">in ${TREND_DAYS_MAX} days</span></h3>
    <ul class="week">${rows}</ul>`;
}
