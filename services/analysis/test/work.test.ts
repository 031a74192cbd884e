import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { openTable } from "./reader.ts";

const { estimate, reader, foods } = await openTable();

/** Maximum steps for one line with its remarks: about 15 ms of CPU. */
const STEPS_MAX = 6_000;
const MUTATIONS = 50;

interface Said {
  readonly line: string;
  readonly details: string;
  readonly correction: string;
}

function workOf({ line, ...said }: Said): number {
  const before = reader.work.steps;
  estimate(line, said);
  return reader.work.steps - before;
}

const FRAGMENTS = [
  ..."1 11 1/2 a and with on in or no without ( ) , . ; : x g kg cup of oz slice half raw dried fat".split(
    " ",
  ),
  ..."cake pie salad soup bread rice egg chicken butter q zorp käse mit con de I it had the was + &".split(
    " ",
  ),
  ..."sandwitch grunkle chocolat brocoly misspeltwrod kartoffelsuppe schokoladenkuchen not but 8 at".split(
    " ",
  ),
  "peanut butter sandwich",
  "it was 2 slices, not 3;",
  "1".repeat(60),
  ...foods.map(({ name }) => name),
];
const fragments = fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 12 });
/** Repeats a few fragments, or combines many: either may be the costliest. */
const textOf = (maxLength: number) =>
  fragments.map((said) => [...`${said.join(" ")} `.repeat(maxLength)].slice(0, maxLength).join(""));
const anySaid = fc.record({ line: textOf(500), details: textOf(1_498), correction: textOf(1_498) });

describe("no line exceeds the maximum number of steps", () => {
  it("with any remarks", () => {
    fc.assert(
      fc.property(anySaid, (said) => {
        expect(workOf(said)).toBeLessThanOrEqual(STEPS_MAX);
      }),
      { numRuns: 150 },
    );
  });

  it.each(["grunkle ", "chikcen soup zorp ", "kartoffelsuppe "])("of %srepeated", (said) => {
    const [line = "", details = "", correction = ""] = [500, 1_498, 1_498].map((length) =>
      said.repeat(length).slice(0, length),
    );
    for (const remarked of [
      { details, correction },
      { details: "", correction: "" },
    ]) {
      expect(workOf({ line, ...remarked })).toBeLessThanOrEqual(STEPS_MAX);
    }
  });

  it("not even the costliest that a search for costly lines finds", () => {
    let costliest: Said = { line: "chicken salad", details: "", correction: "" };
    let most = workOf(costliest);
    for (const other of fc.sample(anySaid, MUTATIONS)) {
      for (const part of ["line", "details", "correction"] as const) {
        const mutant = { ...costliest, [part]: other[part] };
        const steps = workOf(mutant);
        if (steps <= most) continue;
        [costliest, most] = [mutant, steps];
      }
    }
    expect(most).toBeLessThanOrEqual(STEPS_MAX);
  });
});

it("a line's cost and meaning do not depend on the lines before it", () => {
  const said = { line: "chicken sandwitch with brocoly", details: "no bun", correction: "" };
  const [first, steps] = [estimate(said.line, said), workOf(said)];
  fc.sample(anySaid, 20).forEach(workOf);
  expect(estimate(said.line, said)).toEqual(first);
  expect(workOf(said)).toBe(steps);
});
