import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import type { PersonSettings } from "../../clients/journal-documents.ts";
import { UNCHOSEN_TIME_ZONE } from "../timezone-notice.ts";

/** Steps that lead a new person to the first logged line; nothing once all are done. */
export function firstSteps(
  settings: PersonSettings,
  { hasWriter, isBasic }: { hasWriter: boolean; isBasic: boolean },
): Markup {
  const isZoneChosen = settings.timezone !== UNCHOSEN_TIME_ZONE;
  const hasGoal = Object.values(settings.nutrition_goals).some((goal) => goal !== null);
  if (isZoneChosen && hasGoal && hasWriter) return markup``;
  return markup`<section class="card" aria-labelledby="steps">
    <h2 id="steps">Three steps to your first day</h2>
    <ol class="steps">
      ${isZoneChosen ? ZONE_DONE : ZONE_FIRST}
      ${step(hasGoal, "/settings/profile#goals", "Set daily goals", "or at least one, such as energy.")}
      ${isBasic ? ACCESS_FIRST : step(hasWriter, "/settings/connections", "Connect an assistant", "and tell it what you ate.")}
    </ol>
  </section>`;
}

const ZONE_DONE = markup`<li class="done">Choose your time zone: done</li>`;
/** The script adds the browser's own zone to the address. */
const ZONE_FIRST = markup`<li><a id="choose-timezone" href="/settings/profile#place">Choose your time
  zone</a>, as your days begin and end at midnight in UTC until then.</li>`;

const ACCESS_FIRST = markup`<li><a href="#items">Get premium or beta access</a>, which logging food needs.</li>`;

function step(isDone: boolean, path: string, what: string, why: string): Markup {
  return isDone
    ? markup`<li class="done">${what}: done</li>`
    : markup`<li><a href="${path}">${what}</a>, ${why}</li>`;
}
