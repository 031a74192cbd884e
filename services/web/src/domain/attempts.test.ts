import fc from "fast-check";
import { expect, test } from "vitest";

import { Attempts } from "./attempts.ts";

test("no window has more attempts than allowed, and a window later there is room again", () => {
  const steps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 5 }), (pauses, max) => {
      const attempts = new Attempts({ max, windowMs: 1_000 });
      const allowed: number[] = [];
      let nowMs = 0;
      for (const pause of pauses) {
        nowMs += pause;
        const recent = allowed.filter((atMs) => nowMs - atMs < 1_000).length;
        const isAllowed = attempts.allow("one", nowMs);
        expect(isAllowed).toBe(recent < max);
        if (isAllowed) allowed.push(nowMs);
      }
    }),
  );
});

test("subjects are counted separately, and can be forgotten", () => {
  const attempts = new Attempts({ max: 1, windowMs: 1_000 });
  expect(attempts.allow("one", 0)).toBe(true);
  expect(attempts.allow("one", 1)).toBe(false);
  expect(attempts.allow("other", 1)).toBe(true);
  attempts.forget("one");
  expect(attempts.allow("one", 2)).toBe(true);
});

test("drops the oldest subjects when there are too many", () => {
  const attempts = new Attempts({ max: 1, windowMs: 1_000_000 });
  for (let subject = 0; subject <= 10_000; subject += 1) attempts.allow(`subject ${subject}`, 0);
  expect(attempts.allow("subject 10000", 1)).toBe(false);
  expect(attempts.allow("subject 0", 1)).toBe(true);
});
