import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { addDays } from "@nutrition/core/civil-date";
import { formatFigure } from "@nutrition/core/figures";
import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";
import { UsageStep } from "@nutrition/proto/nutrition/limits/v1/limits_pb";

import type { Backends } from "../../clients/backends.ts";
import { callOptionsFor, undefinedIfUnavailable } from "../../clients/call-options.ts";
import { sparklineBars } from "../../domain/sparkline.ts";
import type { Person } from "../../clients/person.ts";

const DAYS = 30;
const SIZE = { width: 180, height: 36 };

/** Requests per key on each of the last 30 days in UTC, oldest first. */
export type KeyUsage = ReadonlyMap<string, readonly number[]>;

/** Reads the usage of each key; undefined when unavailable. */
export async function findKeyUsage(
  { limits }: Backends,
  person: Person,
  now: Date,
): Promise<KeyUsage | undefined> {
  const first = addDays(now.toISOString().slice(0, 10), 1 - DAYS);
  const start = timestampFromDate(new Date(`${first}T00:00:00Z`));
  const answer = await undefinedIfUnavailable(
    limits.getUsage({ start, step: UsageStep.DAY }, callOptionsFor(person)),
  );
  if (!answer) return undefined;
  const usage = new Map<string, number[]>();
  for (const bucket of answer.buckets) {
    const counts = usage.get(bucket.credentialId) ?? Array<number>(DAYS).fill(0);
    usage.set(bucket.credentialId, counts);
    const day = Math.round(
      (timestampDate(bucket.start!).getTime() - Date.parse(first)) / 86_400_000,
    );
    if (day >= 0 && day < DAYS) counts[day]! += Number(bucket.requests);
  }
  return usage;
}

/** Draws the last 30 days as a sparkline with a text alternative. */
export function usageDrawing(usage: KeyUsage | undefined, keyId: string): Markup {
  if (!usage) return markup`<p class="usage soft">Usage is temporarily unavailable.</p>`;
  const counts = usage.get(keyId) ?? [];
  const sum = counts.reduce((total, count) => total + count, 0);
  if (sum === 0) return markup`<p class="usage soft">No requests in the last 30 days</p>`;
  const text = `${formatFigure(sum)} ${sum === 1 ? "request" : "requests"} in the last 30 days`;
  const bars = sparklineBars(counts, SIZE).map(
    ({ x, y, width, height }) =>
      markup`<rect x="${x}" y="${y}" width="${width}" height="${height}" />`,
  );
  const most = formatFigure(Math.max(...counts));
  return markup`<div class="usage">
    <svg viewBox="0 0 ${SIZE.width} ${SIZE.height}" width="${SIZE.width}" height="${SIZE.height}"
      role="img" aria-label="${text}, at most ${most} on one day">${bars}</svg>
    <span class="soft">${text}</span>
  </div>`;
}
