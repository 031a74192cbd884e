import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

/** Default until a person chooses. Choosing UTC stores `Etc/UTC`, which is equivalent. */
export const UNCHOSEN_TIME_ZONE = "UTC";

/** Script that proposes the browser's time zone in the notice. */
export const TIMEZONE_SCRIPT = "timezone.js";

/** Tells people without a time zone when their days begin and end, and links to the choice. */
export function timezoneNotice(timeZone: string): Markup {
  if (timeZone !== UNCHOSEN_TIME_ZONE) return markup``;
  return markup`<p class="notice" role="note">Your days begin and end at midnight in UTC, which may not be
    where you are. <a id="choose-timezone" href="/settings/profile#place">Choose your time zone</a></p>`;
}
