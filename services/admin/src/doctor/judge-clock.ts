import { CLOCK_TOLERANCE_S } from "@nutrition/core/clock";

import type { Finding } from "./finding.ts";
import { ok, problem, warning } from "./finding.ts";

const CLOCK_PROBLEM_MS = CLOCK_TOLERANCE_S * 1_000;
const CLOCK_WARNING_MS = 1_000;

/** Compares two clocks; `offsetMs` is the minimum by which the first is ahead. */
export function judgeClock(found: { name: string; other: string; offsetMs: number }): Finding {
  const { name, other, offsetMs } = found;
  const ahead = offsetMs > 0 ? "ahead of" : "behind";
  const differs = {
    message: `Its clock is at least ${(Math.abs(offsetMs) / 1_000).toFixed(1)} s ${ahead} ${other}. From ${CLOCK_TOLERANCE_S} s, calls and tokens are refused.`,
    advice: "Synchronize both machines' clocks with the same source (NTP).",
  };
  if (Math.abs(offsetMs) >= CLOCK_PROBLEM_MS) return problem("clock_differs", name, differs);
  if (Math.abs(offsetMs) >= CLOCK_WARNING_MS) return warning("clock_differs", name, differs);
  return ok("clock_agrees", name, `Its clock agrees with ${other}.`);
}
