import { createContext, runInContext } from "node:vm";

import fc from "fast-check";
import { expect, it } from "vitest";

import { remarksOfLines } from "../src/domain/remarks/line-remarks.ts";
import { compiledPatterns } from "../src/domain/text/patterns.ts";
import { LISTS } from "../src/domain/text/words.ts";
import { openTable } from "./reader.ts";

/** For longer: `FUZZ_RUNS=100000 npx vitest run services/analysis/test/fuzz.test.ts`. */
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 400);
/** Generous: the costliest lines take 25 ms. */
const LINE_CPU_MS_MAX = 250;
/** A line that takes longer is given up, so that the test ends and shows it. */
const GIVEN_UP_MS = 20_000;

const { estimate, reader, foods } = await openTable();

/** The words and phrases that the reader itself looks for. */
const OWN_PHRASES = [
  ...compiledPatterns.flatMap(({ source }) => source.split(/[^\p{L}\p{N}' ]+/u)),
  ...Object.values(LISTS).flatMap((list) => [...list]),
].filter((phrase) => phrase.trim() !== "");

const separator = fc.constantFrom(..." \t\n.,;:!?()-+&/%'’\"x1½");
const fragment = fc.oneof(
  fc.constantFrom(...new Set(OWN_PHRASES)),
  fc.constantFrom(...foods.map(({ name }) => name)),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
  separator,
);
const fragments = fc
  .tuple(fc.array(fragment, { maxLength: 3 }), fc.constantFrom("", " "))
  .map(([parts, between]) => parts.join(between));
const repeated = fc.oneof({ weight: 3, arbitrary: separator }, fragments);
/** What expressions that backtrack take longest for: the same again and again between other things. */
const textOf = (length: number) =>
  fc
    .tuple(fragments, repeated, fc.oneof(fc.nat(80), fc.nat(length)), fragments)
    .map(([before, again, times, after]) => {
      const room = Math.max(0, length - before.length - after.length);
      return `${before}${again.repeat(times).slice(0, room)}${after}`.slice(0, length);
    });
const said = fc.record({
  line: fc.oneof(fc.constant("1 egg"), textOf(500)),
  details: textOf(1_498),
  correction: textOf(1_498),
});
type Said = typeof said extends fc.Arbitrary<infer Value> ? Value : never;

const context = createContext({ read: () => undefined });

/** Milliseconds of this thread's CPU that a line and its remarks take. */
function cpuMsOf({ line, details, correction }: Said): number {
  context["read"] = () => {
    estimate(line, { details, correction });
    remarksOfLines([line, "1 egg"], details, reader);
  };
  const before = process.threadCpuUsage();
  runInContext("read()", context, { timeout: GIVEN_UP_MS });
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Compilation and garbage collection may happen in one run; what a line costs shows in each. */
const isCostly = (text: Said) =>
  Array.from({ length: 5 }, () => text).every((again) => cpuMsOf(again) > LINE_CPU_MS_MAX);

it("answers at once when the details are full stops between remarks", () => {
  const details = `so good${".".repeat(45)}loved it`;
  expect(isCostly({ line: "1 egg", details, correction: details })).toBe(false);
});

it("takes no longer for texts of its own phrases, foods and separators, however often repeated", () => {
  fc.assert(
    fc.property(said, (text) => !isCostly(text)),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 86_400_000);
