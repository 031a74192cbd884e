import { accountSubject } from "./usage.ts";
import type { Intent, MutationKind, SubjectKind, Usage } from "./usage.ts";

/** At most `max` units in any window of `windowSeconds`, its two ends included. */
export interface Policy {
  name: string;
  counts: "api_key_requests" | "connector_requests" | "mutations" | "lines";
  /** Only mutations of these kinds; all when absent. */
  kinds?: readonly MutationKind[];
  /** Counts the lines of each journal date by themselves. */
  eachJournalDate: boolean;
  max: number;
  windowSeconds: number;
}

/** Another maximum for one subject; for an account, also for all its keys and connectors. */
export interface Override {
  subject: string;
  /** Name of the policy. */
  policy: string;
  max: number;
}

/** All limits as one consistent set. */
export class PolicySet {
  /** Changes whenever the content does. */
  readonly version: string;
  readonly all: readonly Policy[];
  readonly #overrides: ReadonlyMap<string, number>;

  constructor(version: string, policies: readonly Policy[], overrides: readonly Override[]) {
    this.version = version;
    this.all = policies;
    this.#overrides = new Map(
      overrides.map(({ subject, policy, max }) => [`${subject} ${policy}`, max]),
    );
  }

  /** The policies of the intent's subject, each with the maximum that holds for it. */
  appliedTo({ subject, subjectKind, accountId }: Intent): Policy[] {
    const applied = this.all.filter((policy) => subjectKindOf(policy) === subjectKind);
    if (this.#overrides.size === 0) return applied;
    return applied.map((policy) => ({
      ...policy,
      max:
        this.#overrides.get(`${subject} ${policy.name}`) ??
        this.#overrides.get(`${accountSubject(accountId)} ${policy.name}`) ??
        policy.max,
    }));
  }

  /** The longest window in seconds: how long the log has to be kept. */
  longestWindowSeconds(): number {
    return Math.max(...this.all.map((policy) => policy.windowSeconds));
  }
}

/** The kind of subject that a policy is about. */
export function subjectKindOf({ counts }: Policy): SubjectKind {
  if (counts === "api_key_requests") return "api_key";
  return counts === "connector_requests" ? "connector" : "account";
}

/** Units of the policy that a usage takes; 0 when it is not what the policy counts. */
export function unitsOf({ counts, kinds }: Policy, usage: Usage): number {
  if (counts === "lines") return usage.lines;
  const matches = kinds === undefined || kinds.some((kind) => kind === usage.kind);
  return matches ? usage.cost : 0;
}

/** Whether every event of the subject takes units of the policy. */
export function countsEverything({ counts, kinds }: Policy): boolean {
  return counts !== "lines" && kinds === undefined;
}

/**
 * Names what is counted over which window. It leaves out the policy's name and maximum: a counter
 * stays right when those change, and is another one when anything else does.
 */
export function counterKey(policy: Policy): string {
  const known = counterKeys.get(policy);
  if (known !== undefined) return known;
  const { counts, kinds, eachJournalDate, windowSeconds } = policy;
  const filter = kinds ? `(${[...kinds].sort().join("+")})` : "";
  const key = `${counts}${filter}/${windowSeconds}${eachJournalDate ? "/date" : ""}`;
  counterKeys.set(policy, key);
  return key;
}

/** Each decision asks for several of them. */
const counterKeys = new WeakMap<Policy, string>();
