import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { FairQueue } from "@nutrition/core/fair-queue";
import { Failure } from "@nutrition/core/failure";
import type { UserIdentity } from "@nutrition/core/user-identity";
import type { Database } from "@nutrition/postgres/database";
import type {
  GetUsageRequest,
  LimitsService,
} from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { UsageStep } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { inTurn } from "@nutrition/rpc/in-turn";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type { DenialCounter } from "../decisions/denial-counter.ts";
import { accountSubject } from "../domain/usage.ts";
import { listRefusals } from "../store/refusal-store.ts";
import { listSubjectsOfAccount } from "../store/subject-store.ts";
import { listTopSubjects, listUsageBuckets } from "../store/usage-store.ts";
import { assertRange, assertUuid, invalid } from "./checks.ts";

const STEPS = 400;
const BUCKETS_MAX = 8_000;
const RANGE_SECONDS: [number, number] = [1, 2_592_000];
const TOP_DEFAULT = 20;
const TOP_RANGE: [number, number] = [1, 100];

/**
 * Usage queries take turns at three of the pool's six connections; the others are for settling.
 */
const TURNS = { slots: 3, slotsPerKey: 1, waitingMax: 1_000, waitingPerKeyMax: 64 };

/** Handles GetUsage, ListTopSubjects and ListRefusals. */
export function usageHandlers(
  database: Database,
  refusals: DenialCounter,
): Pick<Handlers<typeof LimitsService>, "getUsage" | "listTopSubjects" | "listRefusals"> {
  const handlers = {
    getUsage: async (request, { user }) => ({
      buckets: await listBuckets(database, request, accountOf(request, user)),
    }),
    listTopSubjects: async ({ rangeSeconds, limit }) => {
      assertRange("range_seconds", rangeSeconds, RANGE_SECONDS);
      const rows = limit === 0 ? TOP_DEFAULT : limit;
      assertRange("limit", rows, TOP_RANGE);
      const subjects = await listTopSubjects(database, rangeSeconds, rows);
      return { subjects: subjects.map((row) => ({ ...row, units: BigInt(row.units) })) };
    },
    listRefusals: async ({ rangeSeconds }) => {
      assertRange("range_seconds", rangeSeconds, RANGE_SECONDS);
      await refusals.flush(database);
      const policies = await listRefusals(database, rangeSeconds);
      return { policies: policies.map((row) => ({ ...row, refusals: BigInt(row.refusals) })) };
    },
  } satisfies Handlers<typeof LimitsService>;
  return inTurn(handlers, new FairQueue(TURNS));
}

async function listBuckets(database: Database, request: GetUsageRequest, accountId: string) {
  if (!request.start) throw invalid("start", "set");
  const subjects = await listSubjectsOfAccount(database, accountId);
  const buckets = await listUsageBuckets(database, {
    subjects: [...new Set([accountSubject(accountId), ...subjects])],
    start: timestampDate(request.start),
    step: request.step === UsageStep.HOUR ? "hour" : "day",
    steps: STEPS,
    limit: BUCKETS_MAX,
  });
  return buckets.map((bucket) => ({
    credentialId: bucket.credential_id,
    start: timestampFromDate(bucket.start),
    requests: BigInt(bucket.requests),
    mutations: BigInt(bucket.mutations),
  }));
}

/** A person can read only their own usage; the operator names an account. */
function accountOf({ accountId }: GetUsageRequest, user: UserIdentity | undefined): string {
  if (!user) {
    assertUuid("account_id", accountId);
    return accountId;
  }
  if (accountId !== "" && accountId !== user.accountId) {
    throw new Failure(
      "permission_denied",
      "NOT_YOUR_ACCOUNT",
      "This usage belongs to somebody else.",
    );
  }
  return user.accountId;
}
