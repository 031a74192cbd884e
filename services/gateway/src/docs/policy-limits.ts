import { readFileSync } from "node:fs";

import { formatWindow } from "@nutrition/core/duration";
import { z } from "zod";

const policy = z.object({
  counts: z.string(),
  kinds: z.array(z.string()).optional(),
  each_journal_date: z.boolean().default(false),
  max: z.int(),
  window_seconds: z.int(),
});
const policyFile = z.object({ policies: z.array(policy) });

type Policy = z.output<typeof policy>;

/** A row of the reference's table of limits. */
export type LimitRow = readonly [what: string, limit: string];

/** What policies count, in the reference's wording and order. */
const COUNTED: readonly LimitRow[] = [
  ["api_key_requests", "Requests of an API key"],
  ["connector_requests", "Requests of a connection (OAuth), for each user and client"],
  ["requests", "Requests of an account"],
  ["mutations", "Writes"],
  ["lines", "Created lines"],
  ["failed_analyses", "Failed analyses"],
];

/** The limits of a policy file, which the limits service validates. Throws if the file cannot be read. */
export function readPolicyLimits(file: string | URL): LimitRow[] {
  const { policies } = policyFile.parse(JSON.parse(readFileSync(file, "utf8")));
  return COUNTED.flatMap(([counts, what]) => {
    // Omits limits on particular kinds of writes, such as cooldowns, which clients need not know.
    const limits = policies.filter((one) => one.counts === counts && one.kinds === undefined);
    return limits.length === 0 ? [] : [[what, limits.map(describe).join(", ")] as const];
  });
}

function describe({ max, window_seconds, each_journal_date }: Policy): string {
  const limit = `${max.toLocaleString("en")} in ${formatWindow(window_seconds)}`;
  return each_journal_date ? `${limit} for one journal date` : limit;
}
