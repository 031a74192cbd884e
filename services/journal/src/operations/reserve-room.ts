import type { Clock } from "@nutrition/core/clock";
import { newId } from "@nutrition/core/ids";
import type { CallContext } from "@nutrition/rpc/context";

import type {
  LimitRefusal,
  Limits,
  ReserveOptions,
  ReserveOutcome,
} from "../clients/limits-client.ts";
import type { WriteRefusal } from "../domain/write-refusal.ts";

/** Assistants call tools in parallel: so long a cooldown is waited out for them. */
const COOLDOWN_WAIT_MAX_MS = 2_000;
const COOLDOWN = "cooldown";
const LEAST_WAIT_MS = 10;

/** How the names of the limits begin that count writes, whatever is in them. */
const WRITES = "mutations-";
const FEWER_WRITES =
  "Every write counts as one: log several foods with one log_food call, which takes up to 12 lines.";

/** Reserves room for a write, waiting when only the cooldown stands in the way for a short time. */
export async function reserveRoom(
  { limits, clock }: { limits: Limits; clock: Clock },
  options: Omit<ReserveOptions, "requestId">,
  context: CallContext,
): Promise<ReserveOutcome> {
  const giveUpAtMs = clock.monotonicMs() + COOLDOWN_WAIT_MAX_MS;
  for (;;) {
    context.signal.throwIfAborted();
    const outcome = await limits.reserve({ ...options, requestId: newId() }, context);
    if (!("refusal" in outcome)) return outcome;
    const waitMs = cooldownMs(outcome.refusal);
    if (waitMs === undefined || clock.monotonicMs() + waitMs > giveUpAtMs) return outcome;
    await clock.sleep(waitMs);
  }
}

/** Time to wait when the cooldown alone was violated. */
function cooldownMs({ violated, retryAfterMs }: LimitRefusal): number | undefined {
  const isCooldown = violated.length === 1 && violated[0] === COOLDOWN;
  if (!isCooldown || retryAfterMs === undefined) return undefined;
  return Math.max(retryAfterMs, LEAST_WAIT_MS);
}

/** The refusal of a write that found no room. */
export function rateLimitRefusal(refusal: LimitRefusal): WriteRefusal {
  const { violated, name, max, windowSeconds, used, requested, retryAfterMs } = refusal;
  const retryAfterSeconds =
    retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000);
  const next =
    retryAfterSeconds === undefined
      ? "The call asks for more than is ever allowed: split it."
      : `Call again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? "second" : "seconds"}.`;
  const advice = name.startsWith(WRITES) ? ` ${FEWER_WRITES}` : "";
  return {
    code: "rate_limit_exceeded",
    message: `The limit ${name} allows ${max} in ${windowSeconds} seconds: ${used} used, ${requested} asked for. ${next}${advice}`,
    limit: {
      name,
      max,
      requested,
      windowSeconds,
      used,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
    violated,
  };
}
