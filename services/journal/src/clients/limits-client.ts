import { durationMs } from "@bufbuild/protobuf/wkt";
import type { RequestContext } from "@nutrition/core/request-context";
import { WRITE_TOOLS, mutationKindName } from "@nutrition/core/write-tools";
import {
  LimitsService,
  MutationKind,
  PolicyRole,
  SubjectKind,
} from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { PolicyState, Refusal } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { Client } from "@nutrition/rpc/service-definition";

import type { RemainingLimit, LimitRole } from "../domain/nearest-limits.ts";
import type { LimitRefusal, Limits, ReserveOptions, ReserveOutcome } from "../operations/limits.ts";

const RESERVE_TIMEOUT_MS = 5_000;
const SETTLE_TIMEOUT_MS = 2_000;

const CREDENTIAL_KINDS = {
  api_key: SubjectKind.API_KEY,
  connector: SubjectKind.CONNECTOR,
  session: SubjectKind.UNSPECIFIED,
} as const;

const ROLES: ReadonlyMap<PolicyRole, LimitRole> = new Map([
  [PolicyRole.COOLDOWN, "cooldown"],
  [PolicyRole.WRITES, "writes"],
  [PolicyRole.LINES, "lines"],
  [PolicyRole.FAILED_ANALYSES, "failed_analyses"],
]);

/** Calls the limits service. */
export class RpcLimits implements Limits {
  readonly #client: Client<typeof LimitsService>;

  constructor(client: Client<typeof LimitsService>) {
    this.#client = client;
  }

  async reserve(options: ReserveOptions, context: RequestContext): Promise<ReserveOutcome> {
    const { outcome, policies: left } = await this.#client.reserve(
      {
        requestId: options.requestId,
        kind: MutationKind[mutationKindName(WRITE_TOOLS[options.tool].kind)],
        journalDate: options.journalDate,
        createdLines: options.createdLines,
        credentialId: options.credential.id,
        credentialKind: CREDENTIAL_KINDS[options.credential.kind],
      },
      { timeoutMs: RESERVE_TIMEOUT_MS, onBehalfOf: context },
    );
    if (outcome.case === "reservation")
      return { reservationId: outcome.value.id, left: left.map(toLimitLeft) };
    if (outcome.case === "refusal") return { refusal: toRefusal(outcome.value) };
    throw new Error("The limits service returned no outcome for a reservation.");
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

function toLimitLeft({ name, role, max, windowSeconds, remaining }: PolicyState): RemainingLimit {
  return { name, role: ROLES.get(role), max, windowSeconds, remaining };
}

function toRefusal({ violated, deciding, used, requested, retryAfter }: Refusal): LimitRefusal {
  if (!deciding) throw new Error("The limits service refused without naming a limit.");
  return {
    violated,
    name: deciding.name,
    role: ROLES.get(deciding.role),
    max: deciding.max,
    windowSeconds: deciding.windowSeconds,
    used,
    requested,
    retryAfterMs: retryAfter && durationMs(retryAfter),
  };
}
