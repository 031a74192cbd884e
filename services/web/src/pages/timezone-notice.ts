import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

/** What holds until a person chooses. Who chooses UTC gets `Etc/UTC`, which is the same. */
export const UNCHOSEN_TIME_ZONE = "UTC";

/** The script that offers the browser's own time zone in the notice. */
export const TIMEZONE_SCRIPT = "timezone.js";

/** Says, to who has not chosen a time zone, when days begin and end, and where to choose. */
export function timezoneNotice(timeZone: string): Markup {
  if (timeZone !== UNCHOSEN_TIME_ZONE) return markup``;
  return markup`<p class="notice" role="note">Your days begin and end at midnight in UTC, which may not be
    where you are. <a id="choose-timezone" href="/settings/profile#place">Choose your time zone</a></p>`;
}
