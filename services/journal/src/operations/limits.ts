import type { WriteTool } from "@nutrition/core/write-tools";
import type { RequestContext } from "@nutrition/core/request-context";

import type { Credential } from "../domain/actor.ts";
import type { RemainingLimit, LimitRole } from "../domain/nearest-limits.ts";

export interface ReserveOptions {
  requestId: string;
  tool: WriteTool;
  journalDate: string;
  createdLines: number;
  credential: Credential;
}

/** The violated periodic limits. */
export interface LimitRefusal {
  /** The deciding one first. */
  violated: readonly string[];
  /** The deciding one. */
  name: string;
  role: LimitRole | undefined;
  max: number;
  windowSeconds: number;
  used: number;
  requested: number;
  /** Undefined when the call can never succeed. */
  retryAfterMs: number | undefined;
}

/** A reservation with what remains of each limit, or a refusal. */
export type ReserveOutcome =
  { reservationId: string; left: readonly RemainingLimit[] } | { refusal: LimitRefusal };

/** Reservations for writes. All methods reject with a `Failure` if the call fails. */
export interface Limits {
  reserve(options: ReserveOptions, context: RequestContext): Promise<ReserveOutcome>;
  commit(reservationId: string): Promise<void>;
  /** With `analysisFailed` the write counts as a failed analysis from then on. */
  release(reservationId: string, options: { analysisFailed: boolean }): Promise<void>;
}
