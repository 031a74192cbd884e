import { addDays } from "@nutrition/core/civil-date";
import type { CivilDate } from "@nutrition/core/civil-date";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { Display } from "../../domain/display.ts";
import { dayNearby } from "../../domain/moments.ts";

const FIRST_DAY = "0001-01-01";
const LAST_DAY = "9999-12-31";

/** Renders the day with links to other days. */
export function dayHead(date: CivilDate, today: CivilDate, display: Display): Markup {
  const nearby = dayNearby(date, today);
  return markup`<div class="day-head">
    <div>
      <h1>${nearby ?? display.longDate(date)}</h1>
      ${nearby === undefined ? "" : markup`<p class="soft"><time datetime="${date}">${display.longDate(date)}</time></p>`}
    </div>
    <nav class="day-nav" aria-label="Days">
      ${date > FIRST_DAY ? dayLink(addDays(date, -1), "prev", display) : ""}
      ${date < LAST_DAY ? dayLink(addDays(date, 1), "next", display) : ""}
      <form method="get" action="/journal">
        <label class="unseen" for="date">Go to a day</label>
        <input id="date" name="date" type="date" value="${date}" required />
        <button class="quiet">Go</button>
      </form>
      ${date === today ? "" : markup`<a class="button quiet" href="/journal">Today</a>`}
    </nav>
  </div>`;
}

function dayLink(date: CivilDate, relation: "prev" | "next", display: Display): Markup {
  const day = display.shortDate(date);
  const text =
    relation === "prev"
      ? markup`<span aria-hidden="true">← </span><span class="unseen">Day before, </span>${day}`
      : markup`<span class="unseen">Day after, </span>${day}<span aria-hidden="true"> →</span>`;
  return markup`<a class="button quiet" rel="${relation}" href="/journal/${date}">${text}</a>`;
}

/** Links to the exports. */
export function exportSection(): Markup {
  return markup`<p class="soft export-links">Take your data with you:
    <a href="/settings/export">download</a> a range of days, or everything.</p>`;
}
