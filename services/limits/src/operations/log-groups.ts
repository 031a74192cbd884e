import type { AccountLedger } from "../domain/account-ledger.ts";
import type { PolicySet } from "../domain/policy.ts";
import type { Intent, LogKind } from "../domain/usage.ts";
import { accountSubject, logOf } from "../domain/usage.ts";

/** Cached ledgers of accounts; they may be stale. */
export interface KnownLedgers {
  find(name: string): AccountLedger | undefined;
  set(name: string, ledger: AccountLedger): void;
  forget(name: string): void;
}

/** The intents of a batch that concern one log of an account. */
export interface LogGroup {
  /** Of its ledger. */
  name: string;
  accountId: string;
  log: LogKind;
  intents: readonly Intent[];
  ledger: AccountLedger | undefined;
  windowSeconds: number;
}

/** Groups intents by log and adds the cached ledger of each. */
export function groupByLog(
  intents: readonly Intent[],
  { policies, known }: { policies: PolicySet; known: KnownLedgers },
): LogGroup[] {
  const windows = {
    requests: policies.longestWindowSeconds("requests"),
    writes: policies.longestWindowSeconds("writes"),
  };
  const groups = Map.groupBy(intents, (intent) => `${logOf(intent)}:${intent.accountId}`);
  return [...groups].map(([name, group]) => {
    const first = group[0] as Intent;
    const log = logOf(first);
    const windowSeconds = windows[log];
    const ledger = known.find(name);
    const usable = ledger && ledger.windowSeconds >= windowSeconds ? ledger : undefined;
    const { accountId } = first;
    return { name, accountId, log, intents: group, ledger: usable, windowSeconds };
  });
}

/**
 * An account's decisions are made under its lock. The previous version locks only the subject of
 * the event, so that subject is locked too while instances of both versions may run.
 */
export function locksOf(groups: readonly LogGroup[]): string[] {
  return groups.flatMap(({ accountId, intents }) => [
    accountSubject(accountId),
    ...subjectsOf(intents),
  ]);
}

function subjectsOf(intents: readonly Intent[]): Set<string> {
  return new Set(intents.map(({ subject }) => subject));
}
