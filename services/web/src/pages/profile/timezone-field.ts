import { isTimeZone } from "@nutrition/core/civil-date";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { choiceOption } from "../choice-option.ts";
import { errorAttributes, fieldError } from "../form-errors.ts";
import { UNCHOSEN_TIME_ZONE } from "../timezone-notice.ts";
import { PROFILE_LABELS } from "./labels.ts";
import type { FieldValues } from "./field-views.ts";
import { shownBefore, valueOf } from "./field-views.ts";

const NAME = "timezone";
/** Name that distinguishes a choice of UTC from no choice. */
const UTC = "Etc/UTC";

/** Time zones by region; `Europe/Berlin` is listed under Europe. */
const REGIONS = [
  ...Map.groupBy(
    Intl.supportedValuesOf("timeZone").filter((zone) => zone.includes("/")),
    regionOf,
  ),
];

/** A select for the time zone. While none was chosen, preselects `proposed` if it is one. */
export function timezoneField(values: FieldValues, proposed: string): Markup {
  const current = valueOf(values, NAME);
  const proposal = current === UNCHOSEN_TIME_ZONE ? findListed(proposed) : undefined;
  const chosen = proposal ?? current;
  return markup`<label for="${NAME}">${PROFILE_LABELS[NAME]}</label>
    <select id="${NAME}" name="${NAME}" ${errorAttributes(values.errors, NAME)}>
      ${isListed(current) ? "" : choiceOption([current, nameOf(current)], chosen)}
      ${choiceOption([UTC, "UTC (no region)"], chosen)}
      ${REGIONS.map(
        ([region, zones]) => markup`<optgroup label="${region}">
          ${zones.map((zone) => choiceOption([zone, placeOf(zone)], chosen))}
        </optgroup>`,
      )}
    </select>
    ${proposal === undefined ? "" : markup`<p class="hint">Your browser is in this time zone. It is not saved yet: press Save if it is right.</p>`}
    ${shownBefore(values, NAME)}
    ${fieldError(values.errors, NAME)}`;
}

function isListed(zone: string): boolean {
  return zone === UTC || REGIONS.some(([, zones]) => zones.includes(zone));
}

/** The zone under its name in the list; undefined when it is not listed. */
function findListed(zone: string): string | undefined {
  if (!isTimeZone(zone)) return undefined;
  const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions();
  const name = timeZone === "UTC" ? UTC : timeZone;
  return isListed(name) ? name : undefined;
}

function nameOf(unlisted: string): string {
  return unlisted === UNCHOSEN_TIME_ZONE ? "Not chosen yet: UTC" : unlisted;
}

function regionOf(zone: string): string {
  return zone.slice(0, zone.indexOf("/"));
}

/** Formats a zone as `Berlin (Europe)`, so that typing the place finds it. */
function placeOf(zone: string): string {
  const place = zone.slice(zone.indexOf("/") + 1);
  return `${place.replaceAll("_", " ").replaceAll("/", ", ")} (${regionOf(zone)})`;
}
