import type { UsageLedger } from "../domain/usage-ledger.ts";
import type { PolicySet } from "../domain/policy.ts";
import type { LimitRequest, LogKind } from "../domain/usage.ts";
import { logOf } from "../domain/usage.ts";

/** Cached ledgers of accounts; they may be stale. */
export interface LedgerCache {
  find(name: string): UsageLedger | undefined;
  set(name: string, ledger: UsageLedger): void;
  forget(name: string): void;
}

/** The limit requests of a batch that concern one log of an account. */
export interface LogGroup {
  /** Cache key of its ledger. */
  name: string;
  accountId: string;
  log: LogKind;
  limitRequests: readonly LimitRequest[];
  ledger: UsageLedger | undefined;
  windowSeconds: number;
}

/** Groups limit requests by log and adds the cached ledger of each. */
export function groupByLog(
  limitRequests: readonly LimitRequest[],
  { policies, known }: { policies: PolicySet; known: LedgerCache },
): LogGroup[] {
  const windows = {
    requests: policies.longestWindowSeconds("requests"),
    writes: policies.longestWindowSeconds("writes"),
  };
  const groups = Map.groupBy(
    limitRequests,
    (limitRequest) => `${logOf(limitRequest)}:${limitRequest.accountId}`,
  );
  return [...groups].map(([name, group]) => {
    const first = group[0] as LimitRequest;
    const log = logOf(first);
    const windowSeconds = windows[log];
    const ledger = known.find(name);
    const usable = ledger && ledger.windowSeconds >= windowSeconds ? ledger : undefined;
    const { accountId } = first;
    return { name, accountId, log, limitRequests: group, ledger: usable, windowSeconds };
  });
}
