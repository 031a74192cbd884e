import type { Handler } from "@nutrition/rpc/service-definition";
import type { CountRequest, LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { SubjectKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";

import type { Decider } from "../decisions/decider.ts";
import { receiptOf } from "../domain/receipt.ts";
import type { LimitRequest } from "../domain/usage.ts";
import { connectorSubject, keySubject } from "../domain/usage.ts";
import { assertOpaqueId, assertRange, assertUuid, invalid, userOf } from "./checks.ts";
import { requestStates, toPolicyState, toRefusal } from "./decision-messages.ts";

const COST_RANGE: [number, number] = [1, 20];

export function countHandler(decider: Decider): Handler<typeof LimitsService, "count"> {
  return async (request, context) => {
    const limitRequest = toLimitRequest(request, userOf(context).accountId);
    const decision = await decider.decide(limitRequest, context.signal);
    const policies = requestStates(decision).map(toPolicyState);
    return decision.allowed
      ? { policies, receipt: receiptOf(limitRequest, decision.atUs) }
      : { policies, refusal: toRefusal(decision) };
  };
}

function toLimitRequest(request: CountRequest, accountId: string): LimitRequest {
  const { cost, credentialId, requestId } = request;
  assertRange("cost", cost, COST_RANGE);
  assertOpaqueId("request_id", requestId);
  assertOpaqueId("credential_id", credentialId);
  return {
    ...subjectOf(request, accountId),
    kind: "request",
    cost,
    lines: 0,
    journalDate: null,
    accountId,
    credentialId,
    requestId,
    reservationId: null,
  };
}

function subjectOf({ subjectKind, credentialId }: CountRequest, accountId: string) {
  switch (subjectKind) {
    case SubjectKind.API_KEY:
      assertUuid("credential_id", credentialId);
      return { subjectKind: "api_key", subject: keySubject(credentialId) } as const;
    case SubjectKind.CONNECTOR:
      return {
        subjectKind: "connector",
        subject: connectorSubject(accountId, credentialId),
      } as const;
    default:
      throw invalid("subject_kind", "API_KEY or CONNECTOR");
  }
}
