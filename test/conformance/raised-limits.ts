import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ROOT } from "@nutrition/local/config";

const MAX = 10_000;

/** A policy file that lets a test make many calls. Disposing deletes it. */
export interface RaisedLimits extends AsyncDisposable {
  readonly file: string;
}

/** The shipped policies with raised limits, except for those on lines. */
export async function raiseLimits(): Promise<RaisedLimits> {
  const folder = await mkdtemp(join(tmpdir(), "nutrition-limits-"));
  const file = join(folder, "policies.json");
  const text = await readFile(join(ROOT, "services/limits/policies.json"), "utf8");
  const content = JSON.parse(text) as { policies: { counts: string; max: number }[] };
  for (const policy of content.policies) {
    if (policy.counts !== "lines") policy.max = MAX;
  }
  await writeFile(file, JSON.stringify(content));
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
