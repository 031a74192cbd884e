import type { MutationKind } from "@nutrition/core/write-tools";

import { accountSubject } from "./usage.ts";
import type { LimitRequest, LogKind, SubjectKind, Usage, UsageEvent, UsageKind } from "./usage.ts";

/**
 * What a policy can count: requests per key, per connector or per account, and the account's
 * writes.
 */
export const COUNTED = [
  "api_key_requests",
  "connector_requests",
  "requests",
  "mutations",
  "lines",
  "failed_analyses",
] as const;

/** At most `max` units in any window of `windowSeconds`, its two ends included. */
export interface Policy {
  name: string;
  counts: (typeof COUNTED)[number];
  /** Only mutations of these kinds; all when absent. */
  kinds?: readonly MutationKind[];
  /** Counts the lines of each journal date separately. */
  eachJournalDate: boolean;
  max: number;
  windowSeconds: number;
}

/**
 * A different maximum for one subject; for an account, also for each of its keys and connectors.
 */
export interface Override {
  subject: string;
  /** Name of the policy. */
  policy: string;
  max: number;
}

/** All policies and overrides, loaded as one consistent set. */
export class PolicySet {
  /** Hash of the content. */
  readonly version: string;
  readonly all: readonly Policy[];
  readonly #bySubjectKind: ReadonlyMap<SubjectKind, readonly Policy[]>;
  readonly #overrides: ReadonlyMap<string, number>;

  constructor(version: string, policies: readonly Policy[], overrides: readonly Override[]) {
    this.version = version;
    this.all = policies;
    this.#bySubjectKind = new Map(
      (["api_key", "connector", "account"] as const).map((kind) => [
        kind,
        policies.filter((policy) => appliesTo(policy, kind)),
      ]),
    );
    this.#overrides = new Map(
      overrides.map(({ subject, policy, max }) => [`${subject} ${policy}`, max]),
    );
  }

  /** The policies that apply to a limit request, each with the maximum in effect for it. */
  appliedTo({ subject, subjectKind, accountId }: LimitRequest): readonly Policy[] {
    const applied = this.#bySubjectKind.get(subjectKind) ?? [];
    if (this.#overrides.size === 0) return applied;
    const account = accountSubject(accountId);
    return applied.map((policy) => ({
      ...policy,
      max:
        this.#overrides.get(`${isOfAccount(policy) ? account : subject} ${policy.name}`) ??
        this.#overrides.get(`${account} ${policy.name}`) ??
        policy.max,
    }));
  }

  /** The longest window in seconds, over all policies or those of one log. */
  longestWindowSeconds(log?: LogKind): number {
    const windows = this.all
      .filter((policy) => log === undefined || logCounted(policy) === log)
      .map(({ windowSeconds }) => windowSeconds);
    return Math.max(0, ...windows);
  }
}

/** The log whose events a policy counts. */
function logCounted({ counts }: Policy): LogKind {
  return counts.endsWith("requests") ? "requests" : "writes";
}

/** Whether a policy applies to events stored under this kind of subject. */
function appliesTo(policy: Policy, kind: SubjectKind): boolean {
  if (policy.counts === "api_key_requests") return kind === "api_key";
  if (policy.counts === "connector_requests") return kind === "connector";
  return (logCounted(policy) === "writes") === (kind === "account");
}

/** The purpose of a policy. */
export type PolicyRole = "requests" | "cooldown" | "writes" | "lines" | "failed_analyses";

/** A limit on writes over a window this short is a cooldown: the caller can wait it out. */
const COOLDOWN_SECONDS_MAX = 10;

export function roleOf({ counts, windowSeconds }: Policy): PolicyRole {
  if (counts === "lines" || counts === "failed_analyses") return counts;
  if (counts !== "mutations") return "requests";
  return windowSeconds <= COOLDOWN_SECONDS_MAX ? "cooldown" : "writes";
}

/** Whether the policy counts the account over all its credentials rather than each separately. */
export function isOfAccount({ counts }: Policy): boolean {
  return counts !== "api_key_requests" && counts !== "connector_requests";
}

const ANALYSED: readonly UsageKind[] = ["log", "edit"];

/**
 * Units of the policy that a usage takes in a state; 0 when the policy does not count it. A
 * reservation may still turn out to be a failed analysis, so it counts as one until it is settled.
 */
export function unitsOf(policy: Policy, usage: Usage, state: UsageEvent["state"]): number {
  const { counts, kinds } = policy;
  if (counts === "failed_analyses") {
    const mayHaveFailed = state === "reserved" || state === "failed";
    return mayHaveFailed && ANALYSED.includes(usage.kind) ? usage.cost : 0;
  }
  if (state === "failed") return 0;
  if (counts === "lines") return usage.lines;
  const matches = kinds === undefined || kinds.some((kind) => kind === usage.kind);
  return matches ? usage.cost : 0;
}

/** Whether every event in the policy's log takes units of it. */
export function countsEverything({ counts, kinds }: Policy): boolean {
  return counts !== "lines" && counts !== "failed_analyses" && kinds === undefined;
}

/**
 * Identifies what is counted over which window. The policy's name and maximum are left out:
 * changing them keeps the counter valid, and any other change makes it a different counter.
 */
export function counterKey(policy: Policy): string {
  const cached = counterKeys.get(policy);
  if (cached !== undefined) return cached;
  const { counts, kinds, eachJournalDate, windowSeconds } = policy;
  const filter = kinds ? `(${[...kinds].sort().join("+")})` : "";
  const key = `${counts}${filter}/${windowSeconds}${eachJournalDate ? "/date" : ""}`;
  counterKeys.set(policy, key);
  return key;
}

/** Cached because each decision needs several. */
const counterKeys = new WeakMap<Policy, string>();
