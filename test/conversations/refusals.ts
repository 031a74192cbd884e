import { expect, it } from "vitest";

import type { System } from "../e2e/system.ts";
import { converse, errorIn, itemsIn } from "./conversation.ts";

const DAY = "2026-03-10";

/** Conversations in which the assistant is told what to do instead. */
export function describeRefusals(running: () => System): void {
  const foods = (count: number, food = "almonds") =>
    Array.from({ length: count }, (_, index) => `${index + 1} ${food}`).join("\n");

  it("a feast of thirteen lines: told to split, and split", async () => {
    await converse(running(), { name: "feast" }, 3, async ({ call }) => {
      const { error, message } = errorIn(
        await call("log_food", { food_text: foods(13), date: DAY }),
      );
      expect([error, message]).toEqual([
        "limit_exceeded",
        expect.stringMatching(/at most 12.*split it across several calls/),
      ]);
      await call("log_food", { food_text: foods(12), date: DAY });
      expect(await call("log_food", { food_text: "13 almonds", date: DAY })).toMatch(/^Logged/);
    });
  });

  it("a cap is reached: told which, how much is left and how long to wait", async () => {
    await converse(running(), { name: "cap" }, 4, async ({ call }) => {
      await call("log_food", { food_text: foods(12), date: "2026-03-01" });
      const second = await call("log_food", { food_text: foods(12), date: "2026-03-02" });
      expect(second).toContain("6 of 30 in 10 minutes (lines-10-minutes)");
      const refused = errorIn(await call("log_food", { food_text: foods(7, "pears"), date: DAY }));
      expect(refused.message).toMatch(
        /lines-10-minutes allows 30 in 10 minutes: 24 used, 7 asked for\. Nothing was changed\. Call again in \d+ (seconds|minutes)/,
      );
      expect(await call("log_food", { food_text: foods(6, "pears"), date: DAY })).toMatch(
        /^Logged/,
      );
    });
  }, 20_000);

  it("a connection that may only read: told where the person can allow logging", async () => {
    const reader = { name: "reader", scopes: "service.read" };
    await converse(running(), reader, 2, async ({ call }) => {
      const { error, message } = errorIn(await call("log_food", { food_text: "1 apple" }));
      expect(error).toBe("insufficient_scope");
      expect(message).toContain(`${running().baseUrl}/settings/connections`);
      expect(await call("get_nutrition_summary")).toContain("0 items");
    });
  });

  it("an account without premium: told so, and that reading works", async () => {
    await converse(running(), { name: "free", flags: [] }, 1, async ({ call }) => {
      const { error, message } = errorIn(await call("log_food", { food_text: "1 apple" }));
      expect(error).toBe("premium_required");
      expect(message).toContain("reading works all the same");
    });
  });

  it("delete everything: the support is named, and nothing else is offered", async () => {
    await converse(running(), { name: "wipe" }, 3, async ({ call }) => {
      await call("log_food", { food_text: "1 everything bagel\n1 apple", date: DAY });
      const wipe = { date: DAY, item_query: "everything" };
      const refused = await call("delete_food_item", wipe);
      expect(errorIn(refused).message).toMatch(/no tool clears.*help@example\.com/);
      expect(refused).not.toMatch(/candidates|one by one|each item/);
      const bagel = { date: DAY, item_query: "everything bagel" };
      expect(await call("delete_food_item", bagel)).toContain('"1 everything bagel"');
    });
  });

  it("a day in the wrong year: told why, and logged on the right one", async () => {
    await converse(running(), { name: "year" }, 2, async ({ call }) => {
      const late = await call("log_food", { food_text: "1 apple", date: "2062-03-10" });
      expect(errorIn(late).message).toMatch(
        /later than tomorrow in Europe\/Berlin, where today is/,
      );
      expect(await call("log_food", { food_text: "1 apple", date: DAY })).toMatch(/^Logged on/);
    });
  });

  it("an unknown input: told which one was probably meant", async () => {
    await converse(running(), { name: "input" }, 4, async ({ call }) => {
      const read = errorIn(await call("list_food_entries", { from: DAY }));
      expect(read.message).toContain("You probably mean start_date.");
      expect(await call("list_food_entries", { start_date: DAY, limit: "5" })).toContain("limit 5");
      const write = errorIn(await call("log_food", { food_text: "1 apple", notes: "lunch" }));
      expect(write.message).toContain("You probably mean detailed_description.");
    });
  });

  it("a day without food: told so, without invented candidates", async () => {
    await converse(running(), { name: "empty" }, 1, async ({ call }) => {
      const { message } = errorIn(await call("delete_food_item", { date: DAY, item_query: "egg" }));
      expect(message).toContain("That day has no items: check the date");
      expect(message).not.toContain("candidate");
    });
  });

  it("an outdated id: told what happened to it", async () => {
    await converse(running(), { name: "old-id" }, 3, async ({ call }) => {
      const [item] = itemsIn(await call("log_food", { food_text: "1 apple", date: DAY }));
      await call("delete_food_item", { item_id: item?.id });
      const edit = { item_id: item?.id, replacement_text: "2 apples" };
      const refused = errorIn(await call("edit_food_item", edit));
      expect(refused).toMatchObject({
        error: "item_not_found",
        deleted_item: { item_id: item?.id, date: DAY, description: "1 apple" },
      });
      expect(refused.message).toMatch(/was deleted or merged before.*Read the ids again/);
    });
  });
}
