import { formatWindow } from "@nutrition/core/duration";

import type { Site } from "../../domain/site.ts";
import type { WriteResult } from "../../schemas/write-results.ts";
import { formatDay, timeZoneHint } from "./day.ts";

const AGAIN = "To do it again on purpose, repeat the call with a new idempotency_key.";

/** The journal's day that a write was for. */
export function dayOf({ date, timezone }: WriteResult): string {
  return `${date} (${timezone})`;
}

/** Describes what a write did, or says that an earlier call did it. */
export function doneOnce(done: string, isDuplicate: boolean): string {
  if (!isDuplicate) return `${done}.`;
  return `An earlier call did this already; nothing was changed now. ${AGAIN} What it did: ${done}.`;
}

/** The day's totals after a write, what limits still allow, and how to choose a time zone. */
export function formatAfterWrite(result: WriteResult, site: Site): string[] {
  return [
    ...formatDay(result),
    ...formatLimits(result.limits),
    ...timeZoneHint(result.timezone, site),
  ];
}

function formatLimits(limits: WriteResult["limits"] = []): string[] {
  const told = limits.map(({ name, remaining, max, window_seconds }) => {
    return `${remaining} of ${max} in ${formatWindow(window_seconds)} (${name})`;
  });
  return told.length === 0 ? [] : [`Left before a limit: ${told.join(", ")}`];
}
