import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { isCivilDate } from "@nutrition/core/civil-date";
import { newId } from "@nutrition/core/ids";
import { MUTATION_KINDS, mutationKindName } from "@nutrition/core/write-tools";
import type { MutationKind as Mutation } from "@nutrition/core/write-tools";
import type { LimitsService, ReserveRequest } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { MutationKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { limitsReservations } from "@nutrition/telemetry/metrics/nutrition";
import type { Handler } from "@nutrition/rpc/service-definition";

import type { Decider } from "../decisions/decider.ts";
import type { LimitRequest } from "../domain/usage.ts";
import { accountSubject } from "../domain/usage.ts";
import { assertOpaqueId, assertRange, invalid, userOf } from "./checks.ts";
import { toPolicyState, toRefusal } from "./decision-messages.ts";

const KINDS: ReadonlyMap<MutationKind, Mutation> = new Map(
  MUTATION_KINDS.map((kind) => [MutationKind[mutationKindName(kind)], kind]),
);

const LINES_RANGE: [number, number] = [0, 12];

/**
 * Handles Reserve; a reservation is held for `holdMs` before the journal is asked for its outcome.
 */
export function reserveHandler(
  decider: Decider,
  holdMs: number,
): Handler<typeof LimitsService, "reserve"> {
  return async (request, context) => {
    const id = newId();
    const limitRequest = toLimitRequest(request, userOf(context).accountId, id);
    const decision = await decider.decide(limitRequest, context.signal);
    const policies = decision.policies.map(toPolicyState);
    if (!decision.allowed) {
      return { policies, outcome: { case: "refusal", value: toRefusal(decision) } };
    }
    limitsReservations.add(1, { "nutrition.reservation.outcome": "opened" });
    const expiresAt = timestampFromMs(Math.floor(decision.atUs / 1_000) + holdMs);
    return { policies, outcome: { case: "reservation", value: { id, expiresAt } } };
  };
}

function toLimitRequest(
  request: ReserveRequest,
  accountId: string,
  reservationId: string,
): LimitRequest {
  const { createdLines, credentialId, journalDate, requestId } = request;
  const kind = KINDS.get(request.kind);
  if (!kind) throw invalid("kind", `one of ${MUTATION_KINDS.map(mutationKindName).join(", ")}`);
  assertRange("created_lines", createdLines, LINES_RANGE);
  assertOpaqueId("request_id", requestId);
  assertOpaqueId("credential_id", credentialId);
  const hasDate = journalDate !== "";
  if (hasDate ? !isCivilDate(journalDate) : createdLines > 0) {
    throw invalid("journal_date", "a date that exists, YYYY-MM-DD");
  }
  return {
    subject: accountSubject(accountId),
    subjectKind: "account",
    accountId,
    kind,
    cost: 1,
    lines: createdLines,
    journalDate: hasDate ? journalDate : null,
    credentialId,
    requestId,
    reservationId,
  };
}
