import fc from "fast-check";
import { expect, it } from "vitest";

import { FoodIndex } from "../src/domain/matching/food-index.ts";
import { LineReader } from "../src/domain/line-reader.ts";
import { estimateLine } from "../src/domain/estimate/estimator.ts";
import { readFoodTable } from "../src/store/food-table.ts";

/** Look-ups of names that one line may cost: some 25 ms of a slow core. */
const LOOK_UPS_MAX = 20_000;

/** An index that counts what it is asked. */
class CountingIndex extends FoodIndex {
  asked = 0;

  override findByName(phrase: string) {
    this.asked += 1;
    return super.findByName(phrase);
  }

  override findByWords(words: readonly string[]) {
    this.asked += 1;
    return super.findByWords(words);
  }
}

const table = await readFoodTable();
const index = new CountingIndex(table.foods, table);
const reader = new LineReader(index, table);

function workOf(line: string, details: string, correction: string): number {
  index.asked = 0;
  estimateLine({ line, details, correction, biasFactor: 1, remembered: [] }, reader);
  return index.asked;
}

const fragment = fc.constantFrom(
  ..."1 11 1/2 a and with on in or no without ( ) , . ; : x g kg cup of oz slice half raw dried fat".split(
    " ",
  ),
  ..."cake pie salad soup bread rice egg chicken butter q zorp käse mit con de I had the was".split(
    " ",
  ),
  "peanut butter sandwich",
  "it was 2 slices, not 3;",
  "1".repeat(60),
);
/** Few fragments repeated: what costs most is seldom what is most mixed. */
const textOf = (maxLength: number) =>
  fc
    .array(fragment, { minLength: 1, maxLength: 6 })
    .map((fragments) =>
      [...`${fragments.join(" ")} `.repeat(maxLength)].slice(0, maxLength).join(""),
    );

it("no line costs more than so much work, whatever is said about it", () => {
  fc.assert(
    fc.property(textOf(500), textOf(1_498), textOf(1_498), (line, details, correction) => {
      fc.pre(/\p{L}/u.test(line));
      expect(workOf(line, details, correction)).toBeLessThanOrEqual(LOOK_UPS_MAX);
    }),
    { numRuns: 150 },
  );
});
