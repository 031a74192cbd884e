import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { choiceOption } from "../choice-option.ts";
import { errorAttributes, fieldError } from "../form-errors.ts";
import { PROFILE_LABELS } from "./labels.ts";
import type { FieldValues } from "./field-views.ts";
import { shownBefore, valueOf } from "./field-views.ts";

const NAME = "timezone";
const UTC = "UTC";

/** All zones by region; `Europe/Berlin` is found under Europe. */
const REGIONS = [
  ...Map.groupBy(
    Intl.supportedValuesOf("timeZone").filter((zone) => zone.includes("/")),
    regionOf,
  ),
];

/** The choice of a time zone. */
export function timezoneField(values: FieldValues): Markup {
  const chosen = valueOf(values, NAME);
  const isListed = chosen === UTC || REGIONS.some(([, zones]) => zones.includes(chosen));
  return markup`<label for="${NAME}">${PROFILE_LABELS[NAME]}</label>
    <select id="${NAME}" name="${NAME}" ${errorAttributes(values.errors, NAME)}>
      ${isListed ? markup`` : choiceOption([chosen, chosen], chosen)}
      ${choiceOption([UTC, "UTC (no region)"], chosen)}
      ${REGIONS.map(
        ([region, zones]) => markup`<optgroup label="${region}">
          ${zones.map((zone) => choiceOption([zone, placeOf(zone)], chosen))}
        </optgroup>`,
      )}
    </select>
    ${shownBefore(values, NAME)}
    ${fieldError(values.errors, NAME)}`;
}

function regionOf(zone: string): string {
  return zone.slice(0, zone.indexOf("/"));
}

/** `Berlin (Europe)`, which is found by typing the place. */
function placeOf(zone: string): string {
  const place = zone.slice(zone.indexOf("/") + 1);
  return `${place.replaceAll("_", " ").replaceAll("/", ", ")} (${regionOf(zone)})`;
}
