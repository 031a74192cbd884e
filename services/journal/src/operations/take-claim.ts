import type { Clock } from "@nutrition/core/clock";
import { Failure } from "@nutrition/core/failure";
import type { RequestContext } from "@nutrition/core/request-context";
import type { Queryable } from "@nutrition/postgres/database";

import type { Fingerprint } from "../domain/fingerprint.ts";
import { invalidInput } from "../domain/write-refusal.ts";
import type { WriteRefusal } from "../domain/write-refusal.ts";
import { acquireClaim, findClaim } from "../store/claim-store.ts";
import type { ExistingClaim } from "../store/claim-store.ts";

/** Time after which a silent holder's claim may be taken over. */
const LEASE_MS = 30_000;

const FIRST_POLL_MS = 20;
const POLL_MAX_MS = 200;

/** The fence of an acquired claim, the result of another call, or a refusal. */
export type ClaimResult = { fence: number } | { result: string } | { refusal: WriteRefusal };

/**
 * Acquires the claim for this fingerprint, which one call at a time can hold. While another call holds it,
 * waits for that call's result or the end of its lease. Throws `unavailable` if the caller's deadline passes
 * first.
 */
export async function takeClaim(
  { database, clock }: { database: Queryable; clock: Clock },
  { accountId, fingerprint }: { accountId: string; fingerprint: Fingerprint },
  context: RequestContext,
): Promise<ClaimResult> {
  let isFree = true;
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(waitMs * 2, POLL_MAX_MS)) {
    if (isFree) {
      const fence = await acquireClaim(database, accountId, { ...fingerprint, leaseMs: LEASE_MS });
      if (fence !== undefined) return { fence };
    }
    const claim = await findClaim(database, accountId, fingerprint.hash);
    isFree = claim === undefined || claim.is_free;
    if (isFree) continue;
    const answer = answerOf(claim as ExistingClaim, fingerprint);
    if (answer) return answer;
    if (context.remainingMs() < 2 * waitMs) throw stillWorking();
    await clock.sleep(waitMs);
    context.signal.throwIfAborted();
  }
}

function answerOf(claim: ExistingClaim, fingerprint: Fingerprint): ClaimResult | undefined {
  const { argumentsHash, sameArguments } = fingerprint;
  const known = claim.arguments_hash;
  if (argumentsHash && ![argumentsHash, ...sameArguments].some((hash) => known?.equals(hash))) {
    return {
      refusal: invalidInput(
        "idempotency_key",
        "This idempotency_key was used with different arguments. Give each call its own, and repeat a call with the same arguments.",
      ),
    };
  }
  return claim.result === null ? undefined : { result: claim.result };
}

function stillWorking(): Failure {
  const message = "The same call is still in progress; repeat it to get its result.";
  return new Failure("unavailable", "WRITE_IN_PROGRESS", message, { retryAfterMs: 2_000 });
}
