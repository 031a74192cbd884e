import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { exactTime, relativeTime } from "../domain/moments.ts";

/** The viewer's current time and time zone, for showing moments. */
export interface ViewerTime {
  readonly timeZone: string;
  readonly now: Date;
  /** Formats of the reader, such as `de-DE`. */
  readonly locale: string;
}

/** `3 days ago (18 Nov 2026, 14:05)`. */
export function momentWithDistance(moment: Date, { timeZone, now, locale }: ViewerTime): Markup {
  return markup`<time datetime="${moment.toISOString()}">${relativeTime(moment, now)}
    <span class="soft">(${exactTime(moment, timeZone, locale)})</span></time>`;
}

/** `18 Nov 2026, 14:05`. */
export function exactMoment(moment: Date, { timeZone, locale }: ViewerTime): Markup {
  return markup`<time datetime="${moment.toISOString()}">${exactTime(moment, timeZone, locale)}</time>`;
}
