import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { as, createHarness, logFood, newUser, readSummary, resultOf } from "./harness.ts";
import type { Harness } from "./harness.ts";

// Models when a call may act, independently of the code: looks words up in a list of each food's names, and
// compares numbers as they were generated.

const DATE = "2026-11-20";
const RUNS = { numRuns: 200 };
/** 200 writes and reads take a minute on a machine that does much else. */
const TIMEOUT_MS = 180_000;

/** Singular and plural; each of these words is another food, or part of one. */
const NOUNS: readonly (readonly [one: string, several: string])[] = [
  ["egg", "eggs"],
  ["eggplant", "eggplants"],
  ["beer", "beers"],
  ["cookie", "cookies"],
  ["tomato", "tomatoes"],
  ["pea", "peas"],
  ["pear", "pears"],
  ["berry", "berries"],
  ["loaf", "loaves"],
  ["peach", "peaches"],
];
const WORDS = ["ginger", "orange", "juice", "corned", "corn", "beef", "sandwich", "café", "water"];
const AMOUNTS = [1, 2, 10, 100, 1000] as const;
const SPELT = new Map<number, string>([
  [1, "one"],
  [2, "two"],
  [10, "ten"],
]);

/** A word with all its spellings. */
interface Word {
  spellings: readonly string[];
}

const noun = fc.constantFrom(...NOUNS).map((spellings): Word => ({ spellings }));
const plain = fc.constantFrom(...WORDS).map((word): Word => ({ spellings: [word] }));
const amount = fc.constantFrom(...AMOUNTS).map((value): Word => {
  const spelt = SPELT.get(value);
  return { spellings: [String(value), ...(spelt === undefined ? [] : [spelt])] };
});
const words = fc
  .tuple(fc.option(amount), fc.array(fc.oneof(noun, plain), { minLength: 1, maxLength: 3 }))
  .map(([first, others]) => (first ? [first, ...others] : others));

/** Words as somebody writes them. */
const written = words.chain((chosen) =>
  fc
    .tuple(...chosen.map(({ spellings }) => fc.constantFrom(...spellings)))
    .map((spelt) => ({ words: chosen, text: spelt.join(" ") })),
);
const asked = fc
  .tuple(written, fc.constantFrom("", "the ", "my ", "a "), fc.boolean())
  .map(([line, article, isLoud]) => {
    const text = isLoud ? `${line.text.toUpperCase()}!` : line.text;
    return { words: line.words, text: article + text };
  });

/** Partial queries for one line of a day are frequent. */
const scene = fc.array(written, { minLength: 1, maxLength: 5 }).chain((lines) =>
  fc.record({
    lines: fc.constant(lines),
    query: fc.oneof(
      asked,
      fc
        .constantFrom(...lines)
        .chain((line) =>
          fc
            .subarray(line.words, { minLength: 1 })
            .chain((part) =>
              fc
                .tuple(...part.map(({ spellings }) => fc.constantFrom(...spellings)))
                .map((spelt) => ({ words: part, text: spelt.join(" ") })),
            ),
        ),
    ),
  }),
);

type Written = { words: readonly Word[]; text: string };

function isSame(one: string, other: string): boolean {
  const plainText = (text: string) => text.toLowerCase().replaceAll("é", "e").replaceAll("!", "");
  return plainText(one) === plainText(other);
}

function holds(line: Written, query: Written): boolean {
  return query.words.every((wanted) =>
    line.words.some((held) => held.spellings[0] === wanted.spellings[0]),
  );
}

/** The line that the query may change; undefined if it must change none. */
function meantBy(query: Written, lines: readonly Written[]): number | undefined {
  const same = [...lines.keys()].filter((at) => isSame((lines[at] as Written).text, query.text));
  if (same.length === 1) return same[0];
  const holding = [...lines.keys()].filter((at) => holds(lines[at] as Written, query));
  return holding.length === 1 ? holding[0] : undefined;
}

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

async function linesOf(user: ReturnType<typeof newUser>): Promise<string[]> {
  const { entries } = await readSummary(harness.journal, user, DATE);
  return entries[0]?.items.map((item: { description: string }) => item.description) ?? [];
}

test(
  "a delete changes exactly the intended line, and none when two or none match",
  async () => {
    const done = { acted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(scene, async ({ lines, query }) => {
        const user = newUser();
        const before = lines.map(({ text }) => text);
        resultOf(await logFood(harness.journal, user, { foodText: before.join("\n"), date: DATE }));
        const { outcome } = await harness.journal
          .client("gateway")
          .deleteFoodItem({ item: { date: DATE, query: query.text } }, as(user));
        const meant = meantBy(query, lines);
        expect(outcome.case, query.text).toBe(meant === undefined ? "refusal" : "result");
        expect(await linesOf(user)).toEqual(before.filter((_, index) => index !== meant));
        done[meant === undefined ? "refused" : "acted"] += 1;
      }),
      RUNS,
    );
    expect(Math.min(done.acted, done.refused)).toBeGreaterThan(RUNS.numRuns / 5);
  },
  TIMEOUT_MS,
);

test(
  "an edit and a merge change nothing that a delete would not",
  async () => {
    await fc.assert(
      fc.asyncProperty(scene, async ({ lines, query }) => {
        const user = newUser();
        const before = [...lines.map(({ text }) => text), "zzz"];
        await logFood(harness.journal, user, { foodText: before.join("\n"), date: DATE });
        const meant = meantBy(query, lines);
        const client = harness.journal.client("gateway");
        const edited = await client.editFoodItem(
          { item: { date: DATE, query: query.text }, replacementText: "yyy" },
          as(user),
        );
        expect(edited.outcome.case, query.text).toBe(meant === undefined ? "refusal" : "result");
        const queries = [meant === undefined ? query.text : "yyy", "zzz"];
        const merged = await client.mergeFoodItems(
          { date: DATE, itemQueries: queries, mergedText: "xxx" },
          as(user),
        );
        const rest = lines.map(({ text }) => text).filter((_, index) => index !== meant);
        expect((await linesOf(user)).toSorted()).toEqual(
          (merged.outcome.case === "result" ? [...rest, "xxx"] : before).toSorted(),
        );
        expect(merged.outcome.case === "result").toBe(meant !== undefined);
      }),
      { numRuns: 60 },
    );
  },
  TIMEOUT_MS,
);
