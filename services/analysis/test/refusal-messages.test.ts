import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { openTable } from "./reader.ts";
import { readRows } from "./score.ts";

const { estimate } = await openTable();

describe("the message of a refusal", () => {
  it("contains none of the line's text, which models might follow", () => {
    const lines = readRows("refusals").map(([line = ""]) => line);
    const unreadable = fc.stringMatching(/^zq[a-z]{6,12}$/);
    const unknown = fc.array(unreadable, { minLength: 1, maxLength: 8 });
    const planted = fc.oneof(
      unknown.map((words) => words.join(" ")),
      fc.tuple(fc.nat(20), unreadable).map(([count, word]) => `${count} slices of ${word}`),
      fc.tuple(fc.constantFrom(...lines), unreadable).map((parts) => parts.join(" ")),
    );
    let refused = 0;
    fc.assert(
      fc.property(planted, (line) => {
        const result = estimate(line);
        if (result.kind !== "cannot_tell") return;
        refused += 1;
        expect(result.message).not.toMatch(/zq/i);
      }),
    );
    expect(refused).toBeGreaterThan(0);
  });

  it.each([
    ["1 slice of xyzzy qwrtz", "xyzzy qwrtz"],
    ["2 eggs with zorp and blarg and fnord", "zorp"],
    [`zorp${"x".repeat(100)}`, `zorp${"x".repeat(56)}…`],
    ["0 eggs", ""],
  ])("comes with the words that it is about: %s", (line, words) => {
    expect(estimate(line)).toMatchObject({ kind: "cannot_tell", words });
  });
});
