import { expect, it } from "vitest";

import type { System } from "../e2e/system.ts";
import { converse, errorIn, idOf, itemsIn, totalIn } from "./conversation.ts";

const DAY = "2026-03-10";

/** Conversations in which something is logged or changed. */
export function describeWriting(running: () => System): void {
  it("I had two eggs, toast and juice: one call, with everything worth saying", async () => {
    await converse(running(), { name: "breakfast" }, 1, async ({ call }) => {
      const food_text = "2 scrambled eggs\n1 slice wholewheat toast\n250 ml orange juice";
      const text = await call("log_food", { food_text });
      expect(text).toMatch(/^Logged on \d{4}-\d\d-\d\d \(today in Europe\/Berlin\):/);
      expect(itemsIn(text).map(({ line }) => line)).toEqual(food_text.split("\n"));
      expect(text).toMatch(
        /protein [\d.]+ g.*sodium [\d.]+ mg.*water 0 ml; confidence 0\.\d+; comment: /,
      );
      expect(totalIn(text)).toBeGreaterThan(200);
      expect(text).toContain("Daily goals: none are set");
      expect(text).toMatch(
        /^Left before a limit: 11 of 12 in 10 minutes \(mutations-10-minutes\), 27 of 30 in/m,
      );
    });
  });

  it("actually it was three eggs: the line is corrected, not logged twice", async () => {
    await converse(running(), { name: "correct" }, 2, async ({ call }) => {
      const logged = await call("log_food", { food_text: "2 scrambled eggs\n1 apple", date: DAY });
      const args = { item_id: idOf(logged, "eggs"), replacement_text: "3 scrambled eggs" };
      const text = await call("edit_food_item", args);
      expect(text).toMatch(/^Changed on 2026-03-10/);
      expect(idOf(text, "3 scrambled eggs")).toBe(args.item_id);
      expect(totalIn(text)).toBeGreaterThan(totalIn(logged));
    });
  });

  it("same as yesterday: one read, one write", async () => {
    await converse(running(), { name: "same" }, 3, async ({ call }) => {
      await call("log_food", { food_text: "1 banana\n30 g almonds", date: DAY });
      const yesterday = await call("get_nutrition_summary", { date: DAY });
      const food_text = itemsIn(yesterday)
        .map(({ line }) => line)
        .join("\n");
      const text = await call("log_food", { food_text, date: "2026-03-11" });
      expect(itemsIn(text)).toHaveLength(2);
      expect(totalIn(text)).toBe(totalIn(yesterday));
    });
  });

  it("delete the egg, of which there are two: nothing is changed until one is chosen", async () => {
    await converse(running(), { name: "ambiguous" }, 4, async ({ call }) => {
      await call("log_food", { food_text: "2 scrambled eggs\n1 egg sandwich", date: DAY });
      const refused = errorIn(await call("delete_food_item", { date: DAY, item_query: "egg" }));
      expect(refused.message).toMatch(
        /matches 2 items.*nothing was changed.*call again with its item_id/,
      );
      const candidates = refused["candidates"] as { item_id: string; description: string }[];
      const chosen = candidates.find(({ description }) => description.includes("sandwich"));
      const text = await call("delete_food_item", { item_id: chosen?.item_id });
      expect(text).toContain('"1 egg sandwich"');
      const day = await call("get_nutrition_summary", { date: DAY });
      expect(itemsIn(day).map(({ line }) => line)).toEqual(["2 scrambled eggs"]);
    });
  });

  it("delete the juice: clear words succeed with the first call, and the deleted line is named", async () => {
    await converse(running(), { name: "clear" }, 2, async ({ call }) => {
      await call("log_food", { food_text: "1 orange\n250 ml orange juice", date: DAY });
      const text = await call("delete_food_item", { date: DAY, item_query: "orange juice" });
      expect(text).toMatch(/^Deleted from 2026-03-10 .*"250 ml orange juice" \(item_id /);
    });
  });

  it("another language: English foods, the person's own words in the details", async () => {
    await converse(running(), { name: "language" }, 1, async ({ call }) => {
      const detailed_description = "ゆで卵 2個";
      const text = await call("log_food", { food_text: "2 boiled eggs", detailed_description });
      expect(text).toContain("; details: ゆで卵 2個; item_id");
    });
  });

  it("a lost response: the same call again is applied once, and eating twice is distinguished", async () => {
    await converse(running(), { name: "offline" }, 4, async ({ call }) => {
      const call1 = { food_text: "1 cappuccino", date: DAY };
      const first = await call("log_food", call1);
      const again = await call("log_food", call1);
      expect(again).toMatch(/^Already logged .* nothing was added now/);
      expect(totalIn(again)).toBe(totalIn(first));
      expect(again).toContain("If it was eaten again, repeat the call with a new idempotency_key");
      const second = await call("log_food", { ...call1, idempotency_key: "second cup" });
      expect(totalIn(second)).toBeCloseTo(2 * totalIn(first), 5);
    });
  });

  it("make one dish of these: a merge by words, which names what was merged", async () => {
    await converse(running(), { name: "merge" }, 3, async ({ call }) => {
      await call("log_food", { food_text: "150 g chicken breast\n100 g rice\n1 apple", date: DAY });
      const merge = { date: DAY, merged_text: "Chicken with rice" };
      const refused = await call("merge_food_items", {
        ...merge,
        item_queries: ["chicken", "salad"],
      });
      expect(errorIn(refused).message).toMatch(/item_queries\[1\],.*call again with item_ids/);
      const text = await call("merge_food_items", { ...merge, item_queries: ["chicken", "rice"] });
      expect(text).toContain('from "150 g chicken breast", "100 g rice"');
      expect(itemsIn(text).map(({ line }) => line)).toEqual(["Chicken with rice"]);
    });
  });

  it("it was fried in butter: new details change the estimate and are shown", async () => {
    await converse(running(), { name: "details" }, 2, async ({ call }) => {
      await call("log_food", { food_text: "2 eggs", date: DAY });
      const edit = { date: DAY, item_query: "eggs", replacement_text: "2 fried eggs" };
      const detailed_description = "fried in 1 tbsp butter";
      const text = await call("edit_food_item", { ...edit, detailed_description });
      expect(text).toContain("details: fried in 1 tbsp butter");
    });
  });

  it("five foods named one by one, in parallel: all are logged", async () => {
    await converse(running(), { name: "parallel" }, 6, async ({ call }) => {
      const foods = ["1 apple", "1 banana", "1 pear", "1 egg", "1 cup coffee"];
      const log = (food_text: string) => call("log_food", { food_text, date: DAY });
      for (const text of await Promise.all(foods.map(log))) expect(text).toMatch(/^Logged on/);
      const day = await call("get_nutrition_summary", { date: DAY });
      expect(itemsIn(day).map(({ line }) => line)).toEqual(expect.arrayContaining(foods));
    });
  }, 20_000);

  it("a list with marks, tabs and a written line break is logged as its lines", async () => {
    await converse(running(), { name: "layout" }, 1, async ({ call }) => {
      const text = await call("log_food", { food_text: "- 1  apple\n2. 1 pear\\n\t1 egg\n\n" });
      expect(itemsIn(text).map(({ line }) => line)).toEqual(["1 apple", "1 pear", "1 egg"]);
    });
  });
}
