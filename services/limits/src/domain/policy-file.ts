import { createHash } from "node:crypto";

import { MUTATION_KINDS } from "@nutrition/core/write-tools";
import { z } from "zod";

import { COUNTED, PolicySet, counterKey, countsEverything } from "./policy.ts";
import type { Override, Policy } from "./policy.ts";

// A denial is computed from the events in the window, so their number must be bounded.
const MAX_UNITS = 10_000;
const MAX_WINDOW_SECONDS = 90 * 86_400;

const policySchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lowercase words joined by hyphens"),
  counts: z.enum(COUNTED),
  kinds: z.array(z.enum(MUTATION_KINDS)).min(1).optional(),
  each_journal_date: z.boolean().default(false),
  max: z.int().min(1).max(MAX_UNITS),
  window_seconds: z.int().min(1).max(MAX_WINDOW_SECONDS),
});

const overrideSchema = z.strictObject({
  subject: z
    .string()
    .regex(/^(account|key|connector):\S+$/, "must be account:…, key:… or connector:…"),
  policy: z.string(),
  max: z.int().min(0).max(MAX_UNITS),
});

const fileSchema = z
  .strictObject({
    policies: z.array(policySchema).min(1).max(50),
    overrides: z.array(overrideSchema).max(10_000).default([]),
  })
  .superRefine((file, context) => {
    for (const message of contradictions(file)) context.addIssue({ code: "custom", message });
  });

type PolicyFile = { policies: z.infer<typeof policySchema>[]; overrides: Override[] };

/** An invalid policy file, with every problem in it. */
export class PolicyFileError extends Error {
  override readonly name = "PolicyFileError";
}

/** Reads the text of a policy file. Throws a `PolicyFileError` when it is not valid. */
export function parsePolicyFile(text: string): PolicySet {
  const result = fileSchema.safeParse(parseJson(text));
  if (!result.success) {
    const problems = result.error.issues.map((issue) =>
      [issue.path.join("."), issue.message].filter((part) => part !== "").join(": "),
    );
    throw new PolicyFileError(`The policy file is not valid:\n  ${problems.join("\n  ")}`);
  }
  const version = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return new PolicySet(version, result.data.policies.map(toPolicy), result.data.overrides);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PolicyFileError("The policy file is not JSON.", { cause: error });
  }
}

function toPolicy(read: z.infer<typeof policySchema>): Policy {
  return {
    name: read.name,
    counts: read.counts,
    ...(read.kinds ? { kinds: read.kinds } : {}),
    eachJournalDate: read.each_journal_date,
    max: read.max,
    windowSeconds: read.window_seconds,
  };
}

/**
 * Logs that need a policy which counts every event, because they would be unbounded without one.
 */
const BOUNDED = [
  ["api_key_requests", "api_key"],
  ["connector_requests", "connector"],
  ["mutations", "account"],
] as const;

function contradictions({ policies, overrides }: PolicyFile): string[] {
  const names = policies.map((policy) => policy.name);
  const keys = policies.map((policy) => counterKey(toPolicy(policy)));
  const unknown = overrides.filter((override) => !names.includes(override.policy));
  const covered = policies.map(toPolicy).filter(countsEverything);
  const uncovered = BOUNDED.filter(([counts]) => !covered.some((each) => each.counts === counts));
  return [
    ...repeated(names).map((name) => `two policies are named ${name}`),
    ...repeated(keys).map((key) => `two policies count ${key}; the lower maximum is enough`),
    ...unknown.map((override) => `the override names an unknown policy ${override.policy}`),
    ...uncovered.map(
      ([, kind]) => `at least one policy must count everything that one ${kind} does`,
    ),
    ...policies
      .filter((policy) => policy.kinds && policy.counts !== "mutations")
      .map((policy) => `${policy.name}: only mutations have kinds`),
    ...policies
      .filter((policy) => policy.each_journal_date && policy.counts !== "lines")
      .map((policy) => `${policy.name}: only lines have a journal date`),
  ];
}

function repeated(texts: string[]): string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index);
}
