import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { searchItems } from "../src/domain/item-search.ts";

interface ClearRequest {
  query: string;
  /** All lines of the day. */
  day: string[];
  meant: string;
}

/** Requests that need not succeed with the first call. */
const MISSED_MAX = 5;

function readRequests(): ClearRequest[] {
  const text = readFileSync(join(import.meta.dirname, "clear-requests.txt"), "utf8");
  let day: string[] = [];
  return text.split("\n").flatMap((line) => {
    if (line === "day") day = [];
    if (line.startsWith("- ")) day.push(line.slice(2));
    const [query, meant] = line.startsWith("? ") ? line.slice(2).split(" => ") : [];
    return query !== undefined && meant !== undefined ? [{ query, day, meant }] : [];
  });
}

test("95 of 100 clear requests succeed with the first call, and none changes another line", () => {
  const requests = readRequests();
  expect(requests).toHaveLength(100);
  const missed = requests.filter(({ query, day, meant }) => {
    expect(day).toContain(meant);
    const outcome = searchItems(
      query,
      day.map((description) => ({ description })),
    );
    if ("match" in outcome) expect(outcome.match.description, query).toBe(meant);
    return !("match" in outcome);
  });
  expect(missed.map(({ query }) => query).slice(MISSED_MAX)).toEqual([]);
  process.stdout.write(
    `${requests.length - missed.length} of ${requests.length} clear requests act at once\n`,
  );
});
