import type { CivilDate } from "@nutrition/core/civil-date";
import { addDays } from "@nutrition/core/civil-date";

import { invalidInput } from "./write-refusal.ts";
import type { WriteRefusal } from "./write-refusal.ts";

const FIRST_DATE = "1900-01-01";

/** Refuses days before 1900 or after tomorrow. Tomorrow is allowed, for planning. */
export function logDateRefusal(
  date: CivilDate,
  { today, timezone }: { today: CivilDate; timezone: string },
): WriteRefusal | undefined {
  if (date >= FIRST_DATE && date <= addDays(today, 1)) return undefined;
  const reason =
    date < FIRST_DATE ? `is before ${FIRST_DATE}` : `is later than tomorrow in ${timezone}`;
  const message = `date ${date} ${reason}, where today is ${today}. Nothing was logged. Give the day on which it was eaten, or leave date out for today.`;
  return invalidInput("date", message);
}
