import assert from "node:assert/strict";

import type { MeasuredSystem } from "../measured-system.ts";

/** Requests sent to both systems before anything is measured. */
export interface Sample {
  path: string;
  apiKey: string;
}

/** Throws, with the difference, unless all systems return the same document for each request. */
export async function assertSameAnswers(
  systems: readonly MeasuredSystem[],
  samples: readonly Sample[],
): Promise<void> {
  for (const sample of samples) {
    const [first, ...others] = await Promise.all(systems.map((system) => ask(system, sample)));
    for (const other of others) assert.deepEqual(other, first);
  }
}

async function ask({ name, baseUrl }: MeasuredSystem, { path, apiKey }: Sample): Promise<unknown> {
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${apiKey}` } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${name} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
