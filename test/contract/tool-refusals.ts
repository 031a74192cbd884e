import { expect } from "vitest";

import type { Assistant } from "../e2e/assistants.ts";
import type { Arguments, Item } from "./tool-calls.ts";
import { DAY, errorOf, succeed, summaryOf } from "./tool-calls.ts";

const ITEM_NOBODY_HAS = "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a00";

/** Expects errors to name each invalid input. `items` are those of `DAY`. */
export async function expectInvalidInputs(
  assistant: Assistant,
  items: readonly Item[],
): Promise<void> {
  const [first, second] = items.map(({ id }) => id);
  const date = DAY;
  const calls: [string, Arguments, string][] = [
    ["get_nutrition_summary", { date: "2026-02-30" }, "date"],
    ["list_food_entries", { limit: 91 }, "limit"],
    ["list_food_entries", { start_date: "2026-02-02", end_date: "2026-02-01" }, "start_date"],
    ["list_weight_history", { limit: 0 }, "limit"],
    ["log_food", {}, "food_text"],
    ["log_food", { food_text: " \n" }, "food_text"],
    ["log_food", { food_text: "1 egg", date: "tomorrow" }, "date"],
    ["log_food", { food_text: "1 egg", meal: "lunch" }, "meal"],
    ["edit_food_item", { item_id: first }, "replacement_text"],
    ["edit_food_item", { item_id: "egg", replacement_text: "1 egg" }, "item_id"],
    ["get_profile", { verbose: true }, "verbose"],
    ["list_food_entries", { days: 7 }, "days"],
    ["log_food", { food_text: "1 egg", date: "1899-12-31" }, "date"],
    ["delete_food_item", { date, item_query: "everything" }, "item_query"],
    ["delete_food_item", { date }, "item_query"],
    ["merge_food_items", { item_ids: [first], merged_text: "x" }, "item_ids"],
    ["merge_food_items", { item_ids: [first, first], merged_text: "x" }, "item_ids"],
    ["merge_food_items", { item_ids: [first, second] }, "merged_text"],
  ];
  for (const [name, args, field] of calls) {
    const error = errorOf(await assistant.call(name, args));
    expect(error, name).toMatchObject({ error: "invalid_input", status: 400, field });
  }
}

/** Expects errors for each per-call limit, with the allowed and the requested amount. */
export async function expectCallLimits(assistant: Assistant, items: readonly Item[]) {
  const [item_id, other] = items.map(({ id }) => id);
  const text = (characters: number) => "egg".padEnd(characters, "x");
  const merge = { item_ids: [item_id, other], merged_text: "eggs" };
  const edit = { item_id, replacement_text: "1 egg" };
  const nine = Array<unknown>(9).fill(item_id);
  const long = { correction: text(1_000), detailed_description: text(1_000) };
  const log = { food_text: "1 egg", detailed_description: text(1_499) };
  const calls: [string, Arguments, string][] = [
    ["log_food", { food_text: "1 egg\n".repeat(13) }, "food_text_lines: 13 of 12"],
    ["log_food", { food_text: text(501) }, "food_text_characters: 501 of 500"],
    ["log_food", log, "detailed_description_characters: 1499 of 1498"],
    [
      "edit_food_item",
      { ...edit, replacement_text: text(501) },
      "replacement_text_characters: 501 of 500",
    ],
    ["edit_food_item", { ...edit, correction: text(1_499) }, "correction_characters: 1499 of 1498"],
    ["edit_food_item", { ...edit, ...long }, "analysis_text_characters: 2009 of 2000"],
    ["merge_food_items", { ...merge, item_ids: nine }, "merge_items: 9 of 8"],
    [
      "merge_food_items",
      { ...merge, merged_text: text(501) },
      "merged_text_characters: 501 of 500",
    ],
  ];
  for (const call of calls) await expectCallLimit(assistant, ...call);
}

async function expectCallLimit(
  assistant: Assistant,
  ...[name, args, expected]: [name: string, args: Arguments, expected: string]
): Promise<void> {
  const { error, status, limit } = errorOf(await assistant.call(name, args));
  expect([error, status]).toEqual(["limit_exceeded", 400]);
  const { name: limitName, max, requested } = limit as Record<string, unknown>;
  expect(`${String(limitName)}: ${String(requested)} of ${String(max)}`).toBe(expected);
}

/** Expects candidates for an ambiguous selector, and no change. */
export async function expectCandidates(
  assistant: Assistant,
  items: readonly Item[],
): Promise<void> {
  const [two, three, apple, banana] = items;
  const before = await summaryOf(assistant, DAY);
  const ambiguous = { date: DAY, item_query: "scrambled eggs" };
  const candidates = [{ item_id: two?.id }, { item_id: three?.id }];
  for (const name of ["edit_food_item", "delete_food_item"]) {
    const args = { ...ambiguous, ...(name === "edit_food_item" && { replacement_text: "1 egg" }) };
    expect(errorOf(await assistant.call(name, args))).toMatchObject({
      error: "ambiguous_item",
      status: 409,
      candidates,
    });
  }
  const misspelt = { date: DAY, item_query: "pancakes" };
  const notFound = errorOf(await assistant.call("delete_food_item", misspelt));
  expect(notFound).toMatchObject({ error: "item_not_found", status: 404 });
  expect(notFound["candidates"]).toHaveLength(4);
  expect(
    errorOf(await assistant.call("delete_food_item", { item_id: ITEM_NOBODY_HAS })),
  ).toMatchObject({ error: "item_not_found", status: 404 });
  expect(await summaryOf(assistant, DAY)).toEqual(before);
  await succeed(assistant, "delete_food_item", { item_id: apple?.id });
  const deleted = errorOf(
    await assistant.call("delete_food_item", { item_id: apple?.id, idempotency_key: "again" }),
  );
  expect(deleted).toMatchObject({ error: "item_not_found" });
  expect(deleted["candidates"]).toContainEqual(expect.objectContaining({ item_id: banana?.id }));
  await expectNotSameEntry(assistant, banana?.id);
}

async function expectNotSameEntry(
  assistant: Assistant,
  item_id: string | undefined,
): Promise<void> {
  const other = await succeed(assistant, "log_food", { food_text: "1 pear", date: "2026-03-11" });
  const [pear] = other["items"] as Item[];
  const args = { item_ids: [item_id, pear?.id], merged_text: "Fruit" };
  expect(errorOf(await assistant.call("merge_food_items", args))).toMatchObject({
    error: "not_same_entry",
    status: 400,
  });
}
