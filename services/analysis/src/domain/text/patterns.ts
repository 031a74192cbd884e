import { hash } from "node:crypto";

import checked from "../../../foods/words/checked-patterns.json" with { type: "json" };

const CHECKED: ReadonlySet<string> = new Set(checked);
const compiled: RegExp[] = [];

/** Every expression that `compilePattern` has made. */
export const compiledPatterns: readonly RegExp[] = compiled;

/**
 * Makes an expression from data. All expressions that are not literals are made here, because lint cannot tell
 * what they cost. The reader does not start before each of them has been checked.
 */
export function compilePattern(source: string, flags: string): RegExp {
  const pattern = new RegExp(source, flags);
  compiled.push(pattern);
  return pattern;
}

/** Identifies an expression in `foods/words/checked-patterns.json`. */
export function fingerprintOf(pattern: RegExp): string {
  return hash("sha256", `${pattern}`, "hex").slice(0, 16);
}

/**
 * Ensures that no text makes an expression backtrack for longer than its length warrants. The check itself takes
 * 100 ms of CPU and 20 MB, so `npm run generate` makes it and keeps what passed.
 *
 * @throws {Error} if an expression was not checked, or is not the one that was
 */
export function requireCheckedPatterns(patterns: readonly RegExp[] = compiled): void {
  const unchecked = patterns.find((pattern) => !CHECKED.has(fingerprintOf(pattern)));
  if (!unchecked) return;
  throw new Error(
    `An expression of foods/words has not been checked: ${`${unchecked}`.slice(0, 80)}. ` +
      "Run npm run generate, which refuses expressions that can backtrack, and commit the result.",
  );
}
