import { expect, test } from "vitest";

import { changeSentence, deleteSentence } from "./assistant-sentences.ts";

const item = { date: "2026-11-20", line: 2, description: "2 scrambled eggs" };

test("identifies the line by its day, position and text", () => {
  expect(changeSentence(item)).toBe(
    "In my food journal, change line 2 of 20 November 2026 (“2 scrambled eggs”) to:",
  );
  expect(deleteSentence(item)).toBe(
    "In my food journal, delete line 2 of 20 November 2026 (“2 scrambled eggs”).",
  );
});

test("stays one short line whatever the food is called", () => {
  const hostile = { ...item, description: `a\nb \u202E${"long ".repeat(200)}` };
  const sentence = deleteSentence(hostile);
  expect(sentence).not.toMatch(/[\n\u202E]/);
  expect(sentence.length).toBeLessThan(200);
  expect(deleteSentence({ ...item, description: null })).toContain("line 2 of 20 November 2026.");
});
