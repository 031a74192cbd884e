import { describe, expect, it } from "vitest";

import forms from "../../../foods/words/forms.json" with { type: "json" };
import occasions from "../../../foods/words/occasions.json" with { type: "json" };
import { backtrackingOf } from "../../backtracking.ts";
import phrases from "../../../foods/words/phrases.json" with { type: "json" };
import sayings from "../../../foods/words/sayings.json" with { type: "json" };
import times from "../../../foods/words/times.json" with { type: "json" };
import { LineReader } from "../line-reader.ts";
import { compiledPatterns, requireCheckedPatterns } from "./patterns.ts";
import { tokenize } from "./tokens.ts";

const PATTERNS = [
  ...[...forms, ...occasions, ...Object.values(phrases)].map(({ pattern }) => pattern),
  ...[sayings, times].flatMap(({ parts, patterns }) => [...Object.values(parts), ...patterns]),
];

/** The lookbehinds of a pattern, with what is nested in them. */
function lookbehindsOf(pattern: string): string[] {
  return [...pattern.matchAll(/\(\?<[=!]/g)].map(({ index }) => {
    let depth = 0;
    for (let at = index; at < pattern.length; at += 1) {
      if (pattern[at] === "\\") at += 1;
      else if (pattern[at] === "(") depth += 1;
      else if (pattern[at] === ")" && --depth === 0) return pattern.slice(index, at + 1);
    }
    return pattern.slice(index);
  });
}

// Otherwise, a line of such places takes time in the square of its length: a correction of inches took a second.
it.each(PATTERNS.flatMap(lookbehindsOf))("looks back a bounded distance: %s", (lookbehind) => {
  expect(lookbehind.replaceAll(/\\./g, "")).not.toMatch(/[*+]|\{\d+,\}/);
});

const EXAMPLES = forms.flatMap(({ example = "" }) => (/^[a-z ]+$/.test(example) ? example : []));
// Lines of plain words skip the forms, unless they have a word that forms look for. A trailing space makes any
// line take the general path.
it.each(EXAMPLES)("spells out a line of plain words: %s", (line) => {
  expect(tokenize(line)).toEqual(tokenize(`${line} `));
});

describe("an expression that a text can make slow", () => {
  it.each([
    [/(?:\s+one|[.!]+)+$/iu, "exponential time"],
    [/(?:\w+\s*)*;/u, "exponential time"],
    [/^(?<meant>.+?)[\s,]+not\s+(?<denied>.+)$/iu, "at least quadratic time"],
  ])("is refused when the expressions are checked: %s", (pattern, reason) => {
    expect(backtrackingOf(pattern)).toMatch(reason);
  });

  it("is in none of our data", () => {
    expect(LineReader).toBeDefined();
    expect(compiledPatterns.length).toBeGreaterThan(90);
    expect(compiledPatterns.filter((pattern) => backtrackingOf(pattern) !== undefined)).toEqual([]);
  });

  it("keeps the reader from starting, as every expression does that was not checked", () => {
    const patterns = [...compiledPatterns, /^lunch$/iu];
    expect(() => requireCheckedPatterns(patterns)).toThrow(
      "An expression of foods/words has not been checked: /^lunch$/iu. Run npm run generate",
    );
    expect(() => requireCheckedPatterns(compiledPatterns)).not.toThrow();
  });
});
