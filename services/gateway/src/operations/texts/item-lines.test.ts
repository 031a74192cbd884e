import { DAILY_AMOUNTS } from "@nutrition/core/nutrients";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";

import { DAY_EXAMPLE } from "../../schemas/day-example.ts";
import type { FoodItem } from "../../schemas/nutrition.ts";
import { formatItems, itemLinesOf } from "./item-lines.ts";

type Item = z.output<typeof FoodItem>;

const [EXAMPLE] = DAY_EXAMPLE.entry.items as [Item];

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    'the "items":[{"id":"1"}] of a \\',
    "two\nlines. \n",
    "\u00a0half\u00a0",
    "…",
    "• soup",
    "-\tsoup",
    "-soup",
    "a. b..",
  ),
);
const figure = fc.oneof(
  fc.integer({ min: 0, max: 1e7 }).map((hundredths) => hundredths / 100),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const maybe = fc.option(figure);
const anyItem: fc.Arbitrary<Item> = fc.record({
  id: fc.uuid(),
  description: text,
  detailed_description: fc.option(text),
  ...{ calories: figure, protein: maybe, carbs: maybe, fat: maybe },
  ...{ sugar: maybe, fiber: maybe, sodium: maybe, water_milliliters: figure },
  is_water_entry: fc.boolean(),
  line_index: fc.nat(),
  ai_comment: fc.option(text),
  confidence_score: maybe,
  updated_at: fc.constant(null),
});

/** The same line from the parsed item. */
function lineOf(item: Item): string {
  const oneLine = (said: string) => said.replaceAll("\n", " / ").replace(/[.\s]+$/, "");
  const figures = DAILY_AMOUNTS.map(({ key, name, unit }) => {
    const amount = item[key] === null ? "unknown" : `${JSON.stringify(item[key])} ${unit}`;
    return key === "calories" ? amount : `${name} ${amount}`;
  });
  const marker = /^[-*+•–—]\s/u.test(item.description ?? "") ? "" : "- ";
  return [
    `${marker}${item.description}: ${figures.join(", ")}`,
    ...(item.is_water_entry ? ["plain water"] : []),
    ...(item.confidence_score === null
      ? []
      : [`confidence ${JSON.stringify(item.confidence_score)}`]),
    ...(item.ai_comment === null ? [] : [`comment: ${oneLine(item.ai_comment)}`]),
    ...(item.detailed_description === null
      ? []
      : [`details: ${oneLine(item.detailed_description)}`]),
    `item_id ${item.id}`,
  ].join("; ");
}

const linesOf = (document: unknown) => {
  const { lines, count } = itemLinesOf(Buffer.from(JSON.stringify(document)));
  return { count, lines: JSON.parse(`"${lines.toString()}"`) as string };
};

describe("lines of items", () => {
  it("are those of the parsed items, whatever their texts and figures are", () => {
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 5 }), text, (items, food_text) => {
        const document = { entries: [{ food_text, items, updated_at: null }], limit: 1 };
        const { lines, count } = linesOf(document);
        expect(lines).toBe(items.map((item) => `\n${lineOf(item)}`).join(""));
        expect(count).toBe(items.length);
        expect(formatItems(items).join("\n")).toBe(items.map(lineOf).join("\n"));
      }),
      { numRuns: 500 },
    );
  });

  it("grow with the day", () => {
    const items = Array.from({ length: 300 }, () => ({
      ...EXAMPLE,
      detailed_description: "é\n".repeat(700),
    }));
    expect(linesOf({ items }).lines).toBe(items.map((item) => `\n${lineOf(item)}`).join(""));
  });

  it("do not depend on the order of members, nor on members of another version", () => {
    const [line] = formatItems([EXAMPLE]);
    const { sugar: _, ...older } = EXAMPLE;
    const newer = { parts: [{ id: "]}", sizes: [1, 2] }], ...EXAMPLE, other: "x" };
    const reordered = Object.fromEntries(Object.entries(newer).toReversed());
    expect(linesOf({ items: [newer, reordered] }).lines).toBe(`\n${line}\n${line}`);
    expect(linesOf({ items: [older] }).lines).toBe(`\n${lineOf({ ...EXAMPLE, sugar: null })}`);
  });

  it("are none in a document without items", () => {
    expect(linesOf({ entries: [] })).toEqual({ lines: "", count: 0 });
    expect(linesOf({ items: [] })).toEqual({ lines: "", count: 0 });
  });

  it("contain nothing of a document that could not be read", () => {
    const broken = '{"items":[{"id":"1","description":"soup"},{"description":"-\\q"}]}';
    expect(() => itemLinesOf(Buffer.from(broken))).toThrow(SyntaxError);
    expect(formatItems([EXAMPLE])).toEqual([lineOf(EXAMPLE)]);
  });

  it("end with an incomplete document, or with a syntax error", () => {
    const items = [EXAMPLE, { ...EXAMPLE, description: "- soup", ai_comment: "two\nlines" }];
    const json = JSON.stringify({ items });
    for (let length = 0; length <= json.length; length += 1) {
      const read = () => itemLinesOf(Buffer.from(json.slice(0, length))).count;
      expect(outcomeOf(read)).toBeOneOf([0, 1, 2, SyntaxError]);
    }
  });
});

function outcomeOf(read: () => number): unknown {
  try {
    return read();
  } catch (error) {
    return (error as Error).constructor;
  }
}
