import { newId } from "@nutrition/core/ids";
import type { UserIdentity } from "@nutrition/core/user-identity";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import {
  as,
  createHarness,
  logFood,
  newUser,
  parse,
  readSummary,
  refusalOf,
  resultOf,
} from "./harness.ts";
import type { Harness } from "./harness.ts";

const DATE = "2026-11-20";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

/** Every character that some editor, terminal or browser shows as a new line (UAX #14). */
const LINE_BREAKS = ["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"];

/** Text that people type or programs paste, and attempts to smuggle a line in. */
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "egg",
      " ",
      ", ",
      "½ cup",
      "Käse",
      "cafe\u0301",
      "\t",
      "- ",
      "3. ",
      "  ",
      "\\n",
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom("🍳", "👨‍👩‍👧", "🏳️‍🌈", "🇩🇪", "שלום", "\u202eخبز", "ก็", "ﬃ", "한"),
  },
  { weight: 1, arbitrary: fc.constantFrom(...LINE_BREAKS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 3 }) },
);
/** A line that looks like a single one, between breaks that trimming may miss. */
const wrapped = fc
  .tuple(
    fc.constantFrom("", ...LINE_BREAKS),
    fc.constantFrom("egg", "🍳"),
    fc.constantFrom(...LINE_BREAKS),
  )
  .map((pieces) => pieces.join(""));
const control = fc.constantFrom("\0", "\u0007", "\u001b[2J", "\u007f", "\u009b", "\u0000egg");
const length = fc.constantFrom(478, 498, 499, 500, 501, 600);
const text = fc.oneof(
  { weight: 6, arbitrary: fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")) },
  { weight: 1, arbitrary: fc.tuple(piece, control, piece).map((pieces) => pieces.join("")) },
  { weight: 2, arbitrary: wrapped },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("x", "🍳", "e\u0301", "食"), length)
      .map(([character, times]) => character.repeat(times)),
  },
);

// A model of the rules in their own terms, independent of the code that applies them.

const characters = (value: string) => [...value.normalize("NFC")].length;

function linesOf(value: string): string[] {
  let lines = [value.normalize("NFC")];
  for (const lineBreak of LINE_BREAKS) lines = lines.flatMap((line) => line.split(lineBreak));
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

/** Without list formatting. */
function visibleLines(value: string): string[] {
  const marks = new Set(["-", "*", "+", "•", "–", "—"]);
  return linesOf(value.replaceAll("\\r\\n", "\n").replaceAll("\\n", "\n")).map((line) => {
    const [first = "", ...others] = line.split(/\s+/u);
    const isMark = marks.has(first) || /^[0-9]{1,2}[.)]$/.test(first);
    return (isMark && others.length > 0 ? others : [first, ...others]).join(" ");
  });
}

function hasControl(value: string): boolean {
  const breaks = new Set([...LINE_BREAKS.join(""), "\t"]);
  return [...value].some((one) => /\p{Cc}/u.test(one) && !breaks.has(one));
}

/** The code that a text must be refused with, or undefined. */
function refusalFor(value: string, linesMax: number): string | undefined {
  const count = visibleLines(value).length;
  if (hasControl(value) || count === 0) return "invalid_input";
  if (count > linesMax) return linesMax === 1 ? "invalid_input" : "limit_exceeded";
  return characters(visibleLines(value).join("\n")) > 500 ? "limit_exceeded" : undefined;
}

async function storedLines(user: UserIdentity): Promise<string[]> {
  const { entries } = await readSummary(harness.journal, user, DATE);
  const lines = entries[0]?.items.map((item: { description: string }) => item.description) ?? [];
  expect(entries[0]?.food_text ?? "").toBe(lines.join("\n"));
  return lines;
}

const RUNS = { numRuns: 60 };

test("log_food stores lines as typed except for their layout, in NFC, or refuses them", async () => {
  await fc.assert(
    fc.asyncProperty(text, async (foodText) => {
      const user = newUser();
      const answer = await logFood(harness.journal, user, { foodText, date: DATE });
      const expected = refusalFor(foodText, 12);
      if (expected !== undefined) expect(refusalOf(answer).code).toBe(expected);
      else resultOf(answer);
      expect(await storedLines(user)).toEqual(expected === undefined ? visibleLines(foodText) : []);
    }),
    RUNS,
  );
});

test("edit_food_item stores its only line as typed, in NFC, or refuses it", async () => {
  await fc.assert(
    fc.asyncProperty(text, async (replacementText) => {
      const user = newUser();
      await logFood(harness.journal, user, { foodText: "a\nb", date: DATE });
      const request = { item: { date: DATE, query: "a" }, replacementText };
      const answer = await harness.journal.client("gateway").editFoodItem(request, as(user));
      await expectOneLine(user, { text: replacementText, answer, otherwise: ["a", "b"] });
    }),
    RUNS,
  );
});

test("merge_food_items stores its only line as typed, in NFC, or refuses it", async () => {
  await fc.assert(
    fc.asyncProperty(text, async (mergedText) => {
      const user = newUser();
      await logFood(harness.journal, user, { foodText: "a\nb\nc", date: DATE });
      const request = { date: DATE, itemQueries: ["a", "c"], mergedText };
      const answer = await harness.journal.client("gateway").mergeFoodItems(request, as(user));
      await expectOneLine(user, { text: mergedText, answer, otherwise: ["a", "b", "c"] });
    }),
    RUNS,
  );
});

async function expectOneLine(
  user: UserIdentity,
  call: { text: string; answer: Parameters<typeof resultOf>[0]; otherwise: string[] },
): Promise<void> {
  const expected = refusalFor(call.text, 1);
  if (expected !== undefined) expect(refusalOf(call.answer).code).toBe(expected);
  else expect(resultOf(call.answer).item.description).toBe(visibleLines(call.text)[0]);
  const after = [visibleLines(call.text)[0], "b"];
  expect(await storedLines(user)).toEqual(expected === undefined ? after : call.otherwise);
}

test("details and corrections keep their lines, with one kind of line break, or are refused", async () => {
  await fc.assert(
    fc.asyncProperty(text, async (detailedDescription) => {
      const user = newUser();
      const request = { foodText: "egg", detailedDescription, date: DATE };
      const answer = await logFood(harness.journal, user, request);
      if (hasControl(detailedDescription)) {
        expect(refusalOf(answer).field).toBe("detailed_description");
        return;
      }
      const stored = resultOf(answer).items[0].detailed_description;
      expect(stored === null ? [] : linesOf(stored)).toEqual(linesOf(detailedDescription));
      expect(stored ?? "").not.toMatch(/[^\P{Cc}\n\t]/u);
    }),
    RUNS,
  );
});

test("the audit record and the response to a retry contain the same text", async () => {
  const user = newUser();
  const lines = ["👨‍👩‍👧 pizza", "שלום \u202eلحم", "cafe\u0301 \u200d au lait"];
  const request = { foodText: lines.join("\r\n"), date: DATE, idempotencyKey: newId() };
  const first = resultOf(await logFood(harness.journal, user, request));
  expect(resultOf(await logFood(harness.journal, user, request))).toEqual({
    ...first,
    duplicate: true,
  });
  const { mutations } = await harness.journal
    .client("admin")
    .listMutations({ accountId: user.accountId }, as());
  const audited = parse(mutations.at(-1)!.afterJson);
  expect(audited.map((item: { description: string }) => item.description)).toEqual(
    lines.map((line) => line.normalize("NFC")),
  );
});
