import { durationMs } from "@bufbuild/protobuf/wkt";
import {
  LimitsService,
  MutationKind,
  SubjectKind,
} from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { Refusal } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { CallContext } from "@nutrition/rpc/context";
import type { Client } from "@nutrition/rpc/service-definition";

import type { Credential } from "../domain/actor.ts";
import type { LimitLeft } from "../domain/nearest-limits.ts";

const RESERVE_TIMEOUT_MS = 5_000;
const SETTLE_TIMEOUT_MS = 2_000;

export interface ReserveOptions {
  requestId: string;
  tool: keyof typeof KINDS;
  journalDate: string;
  createdLines: number;
  credential: Credential;
}

/** Periodic limits that stand in the way. */
export interface LimitRefusal {
  /** The deciding one first. */
  violated: readonly string[];
  /** The deciding one. */
  name: string;
  max: number;
  windowSeconds: number;
  used: number;
  requested: number;
  /** Undefined when the call can never succeed. */
  retryAfterMs: number | undefined;
}

/** Room that is held, with what it leaves of each limit; or none. */
export type ReserveOutcome =
  { reservationId: string; left: readonly LimitLeft[] } | { refusal: LimitRefusal };

/** Room for writes. All methods reject with the `Failure` of the call. */
export interface Limits {
  reserve(options: ReserveOptions, context: CallContext): Promise<ReserveOutcome>;
  commit(reservationId: string): Promise<void>;
  /** With `analysisFailed` it counts as a failed analysis from then on. */
  release(reservationId: string, options: { analysisFailed: boolean }): Promise<void>;
}

const KINDS = {
  log_food: MutationKind.LOG,
  edit_food_item: MutationKind.EDIT,
  merge_food_items: MutationKind.MERGE,
  delete_food_item: MutationKind.DELETE,
} as const;

const CREDENTIAL_KINDS = {
  api_key: SubjectKind.API_KEY,
  connector: SubjectKind.CONNECTOR,
  session: SubjectKind.UNSPECIFIED,
} as const;

/** Speaks to the limits service. */
export class RpcLimits implements Limits {
  readonly #client: Client<typeof LimitsService>;

  constructor(client: Client<typeof LimitsService>) {
    this.#client = client;
  }

  async reserve(options: ReserveOptions, context: CallContext): Promise<ReserveOutcome> {
    const { outcome, policies: left } = await this.#client.reserve(
      {
        requestId: options.requestId,
        kind: KINDS[options.tool],
        journalDate: options.journalDate,
        createdLines: options.createdLines,
        credentialId: options.credential.id,
        credentialKind: CREDENTIAL_KINDS[options.credential.kind],
      },
      { timeoutMs: RESERVE_TIMEOUT_MS, onBehalfOf: context },
    );
    if (outcome.case === "reservation") return { reservationId: outcome.value.id, left };
    if (outcome.case === "refusal") return { refusal: toRefusal(outcome.value) };
    throw new Error("The limits service answered a reservation with no outcome.");
  }

  async commit(reservationId: string): Promise<void> {
    await this.#client.commit({ reservationId }, { timeoutMs: SETTLE_TIMEOUT_MS });
  }

  async release(
    reservationId: string,
    { analysisFailed }: { analysisFailed: boolean },
  ): Promise<void> {
    const request = { reservationId, analysisFailed };
    await this.#client.release(request, { timeoutMs: SETTLE_TIMEOUT_MS });
  }
}

function toRefusal({ violated, deciding, used, requested, retryAfter }: Refusal): LimitRefusal {
  if (!deciding) throw new Error("The limits service refused and named no limit.");
  return {
    violated,
    name: deciding.name,
    max: deciding.max,
    windowSeconds: deciding.windowSeconds,
    used,
    requested,
    retryAfterMs: retryAfter && durationMs(retryAfter),
  };
}
