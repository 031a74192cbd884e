import type { Clock } from "@nutrition/core/clock";
import { formatDuration, formatWindow } from "@nutrition/core/duration";
import { FairQueue } from "@nutrition/core/fair-queue";
import { newId } from "@nutrition/core/ids";
import type { RequestContext } from "@nutrition/core/request-context";

import type { LimitRole } from "../domain/nearest-limits.ts";
import type { WriteRefusal } from "../domain/write-refusal.ts";
import type { LimitRefusal, Limits, ReserveOptions, ReserveOutcome } from "./limits.ts";

/** Assistants call tools in parallel, so writes wait for cooldowns up to this long. */
const COOLDOWN_WAIT_MAX_MS = 10_000;
const LEAST_WAIT_MS = 10;

/** One waiting request per account at a time, so that writes succeed in order. */
const COOLDOWN_TURNS = {
  slots: 4_096,
  slotsPerKey: 1,
  waitingMax: 4_096,
  waitingPerKeyMax: 64,
};

/** Advice in a refusal, by the role of the limit. */
const ADVICE: Readonly<Partial<Record<LimitRole, string>>> = {
  writes:
    "Every write counts as one: log several foods with one log_food call, which takes up to 12 lines.",
  failed_analyses:
    "It counts calls whose text could not be analyzed: name each food in plain words, with its amount.",
};

interface RoomDependencies {
  limits: Limits;
  clock: Clock;
}

type RoomOptions = Omit<ReserveOptions, "requestId">;

/** Reserves units for writes. A write that exceeds only the cooldown waits its turn. */
export class WriteReservations {
  readonly #turns = new FairQueue(COOLDOWN_TURNS);
  readonly #dependencies: RoomDependencies;

  constructor(dependencies: RoomDependencies) {
    this.#dependencies = dependencies;
  }

  /** Waits for up to ten seconds if only the cooldown is violated. */
  async reserve(
    accountId: string,
    options: RoomOptions,
    context: RequestContext,
  ): Promise<ReserveOutcome> {
    const { limits, clock } = this.#dependencies;
    const giveUpAtMs = clock.monotonicMs() + COOLDOWN_WAIT_MAX_MS;
    const ask = () => limits.reserve({ ...options, requestId: newId() }, context);
    const first = await ask();
    if (!("refusal" in first) || cooldownMs(first.refusal) === undefined) return first;
    const waitAndAsk = () => this.#waitAndAsk(ask, { giveUpAtMs, refused: first, context });
    return this.#turns.run(accountId, waitAndAsk, context.signal);
  }

  async #waitAndAsk(
    ask: () => Promise<ReserveOutcome>,
    wait: { giveUpAtMs: number; refused: ReserveOutcome; context: RequestContext },
  ): Promise<ReserveOutcome> {
    const { clock } = this.#dependencies;
    let outcome = wait.refused;
    for (;;) {
      const waitMs = "refusal" in outcome ? cooldownMs(outcome.refusal) : undefined;
      if (waitMs === undefined || clock.monotonicMs() + waitMs > wait.giveUpAtMs) return outcome;
      await clock.sleep(waitMs);
      wait.context.signal.throwIfAborted();
      outcome = await ask();
    }
  }
}

/** Time to wait if only the cooldown was violated. */
function cooldownMs({ violated, role, retryAfterMs }: LimitRefusal): number | undefined {
  const isCooldown = violated.length === 1 && role === "cooldown";
  if (!isCooldown || retryAfterMs === undefined) return undefined;
  return Math.max(retryAfterMs, LEAST_WAIT_MS);
}

/** The refusal of a write that exceeds a limit. */
export function rateLimitRefusal(refusal: LimitRefusal): WriteRefusal {
  const { violated, name, role, max, windowSeconds, used, requested, retryAfterMs } = refusal;
  const retryAfterSeconds =
    retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000);
  const next =
    retryAfterSeconds === undefined
      ? "The call asks for more than is ever allowed: split it."
      : `Call again in ${formatDuration(retryAfterSeconds)}; tell the user if that is long.`;
  const advice = role && ADVICE[role];
  return {
    code: "rate_limit_exceeded",
    message: `The limit ${name} allows ${max} in ${formatWindow(windowSeconds)}: ${used} used, ${requested} asked for. Nothing was changed. ${[next, advice].filter(Boolean).join(" ")}`,
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
