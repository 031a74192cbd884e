import { afterAll, expect, test } from "vitest";

import { FoodOperator } from "./food-operator.ts";

const operator = await FoodOperator.start();
afterAll(() => operator[Symbol.asyncDispose]());

const KEYS = [
  "text",
  "calories",
  "protein",
  "carbs",
  "fat",
  "sugar",
  "fiber",
  "sodium",
  "water_milliliters",
  "confidence",
  "answered",
];

/** Runs the analysis of these lines and returns its output, one value per line. */
async function analyze(...lines: string[]) {
  const path = operator.file("texts.jsonl", lines.join("\n"));
  const { stdout, stderr, exitCode } = await operator.run("analyze", "--jsonl", path);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("answers each text in order with the figures of all its foods", async () => {
  const texts = ["200 g rice", "2 eggs", "200 g rice\n2 eggs", "500 ml water"];
  const [rice, eggs, both, water] = await analyze(...texts.map((text) => JSON.stringify({ text })));
  expect(Object.keys(rice)).toEqual(KEYS);
  expect(rice).toMatchObject({ text: "200 g rice", answered: true });
  expect(both.calories).toBeCloseTo(rice.calories + eggs.calories, 1);
  expect(both.sodium).toBeCloseTo(rice.sodium + eggs.sodium, 1);
  expect(both.confidence).toBe(Math.min(rice.confidence, eggs.confidence));
  expect(water).toMatchObject({ calories: 0, water_milliliters: 500 });
});

test("continues after a line that cannot be read or estimated", async () => {
  const lines = [
    "{broken",
    '{"text": 7}',
    '{"text": ""}',
    JSON.stringify({ text: "e".repeat(501) }),
    JSON.stringify({ text: Array(13).fill("egg").join("\n") }),
    '{"text": "zzyzx qwrty"}',
    '{"text": "200 g rice"}',
  ];
  const results = await analyze(...lines);
  expect(results.map(({ answered }) => answered)).toEqual([...Array(6).fill(false), true]);
  expect(results[0]).toMatchObject({ text: null, calories: null, confidence: null });
  expect(results[5]).toMatchObject({ text: "zzyzx qwrty", calories: null });
});

test("keeps the order of many lines", async () => {
  const texts = Array.from({ length: 500 }, (_, at) => `${at + 1} g rice`);
  const results = await analyze(...texts.map((text) => JSON.stringify({ text })));
  expect(results.map(({ text }) => text)).toEqual(texts);
});

test("an empty file has no answers, and a missing one is named", async () => {
  const empty = operator.file("empty.jsonl", "");
  expect(await operator.run("analyze", "--jsonl", empty)).toMatchObject({
    stdout: "",
    exitCode: 0,
  });
  const missing = await operator.run("analyze", "--jsonl", "/nowhere/texts.jsonl");
  expect(missing).toMatchObject({ exitCode: 1, stdout: "" });
  expect(await operator.run("analyze")).toMatchObject({ exitCode: 2 });
});

test("explains a line for people and as JSON", async () => {
  const text = "2 slices of white bread with butter";
  const explained = await operator.json("explain", text);
  expect(explained).toMatchObject({ answered: true, message: null, unknown: [] });
  const [bread] = explained.parts;
  expect(bread).toMatchObject({ amount: "2 × slice", food: "white bread" });
  expect(bread.reference).toMatch(/^(sr28|fndds2021):/);
  const total = explained.parts.reduce(
    (sum: number, part: { calories: number }) => sum + part.calories,
    0,
  );
  expect(total).toBeCloseTo(explained.calories, 1);
  const { stdout } = await operator.run("explain", text);
  expect(stdout).toContain("white bread");
  expect(stdout).toContain("2 × slice");
});

test("says once why a line cannot be understood, and fails", async () => {
  const { stdout, stderr, exitCode } = await operator.run("explain", "zzyzx qwrty", "--json");
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 1 });
  const explained = JSON.parse(stdout);
  const unknown = ["zzyzx qwrty"];
  expect(explained).toMatchObject({ answered: false, calories: null, parts: [], unknown });
  const text = await operator.run("explain", "zzyzx qwrty");
  const stdoutText = `No estimate: ${explained.message}\nNot understood: zzyzx qwrty\n`;
  expect(text).toEqual({ stdout: stdoutText, stderr: "", exitCode: 1 });
});

test("a search without results says so and fails", async () => {
  expect(await operator.run("search", "zzyzx")).toEqual({
    stdout: "No food matches.\n",
    stderr: "",
    exitCode: 1,
  });
  expect(await operator.run("search", "zzyzx", "--json")).toMatchObject({
    stdout: "[]\n",
    exitCode: 1,
  });
});

test("a limit that is not a number from 1 to 50 is a usage error", async () => {
  expect(await operator.json("search", "egg", "--limit", "3")).toHaveLength(3);
  for (const limit of ["0", "51", "x"]) {
    expect(await operator.run("search", "egg", "--limit", limit)).toMatchObject({ exitCode: 2 });
  }
});
