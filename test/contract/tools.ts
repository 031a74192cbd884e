import { describe, expect, it } from "vitest";

import { LaunchedProcesses } from "../e2e/launched-processes.ts";
import type { Assistant } from "../e2e/assistants.ts";
import { connectAssistant, connectOlderAssistant } from "../e2e/assistants.ts";
import type { System } from "../e2e/system.ts";
import { changeItemTwiceDuring } from "./changing-item.ts";
import type { Arguments, Item } from "./tool-calls.ts";
import { DAY, errorOf, logDay, succeed, summaryOf } from "./tool-calls.ts";
import { expectCallLimits, expectCandidates, expectInvalidInputs } from "./tool-refusals.ts";

const TOOLS = [
  ...["log_food", "edit_food_item", "merge_food_items", "delete_food_item"],
  ...["get_nutrition_summary", "list_food_entries", "get_profile", "list_weight_history"],
];

/** Registers the tests of all tools with the official clients of both eras. */
export function describeTools(running: () => System): void {
  describe.each([
    ["2026-07-28", connectAssistant],
    ["the older era", connectOlderAssistant],
  ] as const)("the official client of %s", (era, connect) => {
    const setup = async (purpose: string, ...flags: string[]) => {
      const email = `${purpose}-${era.replaceAll(/\W/g, "-")}@example.com`;
      const { id, key } = await running().account(email, ...flags);
      return { id, key, assistant: await connect(running().baseUrl, key) };
    };

    it("uses all eight tools, and a retry of a write has no second effect", async () => {
      const { assistant } = await setup("journey", "--premium");
      await using _ = assistant;
      expect(await assistant.listTools()).toEqual(TOOLS);
      await expectWritesOnce(assistant);
      for (const name of ["get_profile", "list_weight_history", "list_food_entries"]) {
        expect(await assistant.call(name, {})).toMatchObject({ isError: false });
      }
    });

    it("gets an error that names the invalid input and the allowed values", async () => {
      const { assistant } = await setup("inputs", "--premium");
      await using _ = assistant;
      const items = await logDay(assistant);
      await expectInvalidInputs(assistant, items);
      await expectCallLimits(assistant, items);
    });

    it("gets candidates for an ambiguous selector", async () => {
      const { assistant } = await setup("selectors", "--premium");
      await using _ = assistant;
      await expectCandidates(assistant, await logDay(assistant));
    });

    it("gets the current item when it changes during an edit", async () => {
      const { id, assistant } = await setup("changing", "--premium");
      await using _ = assistant;
      const [eggs] = await logDay(assistant);
      const changing = { accountId: id, date: DAY, itemId: eggs?.id ?? "" };
      const edit = { item_id: eggs?.id, replacement_text: "5 scrambled eggs" };
      const refused = await changeItemTwiceDuring(running(), changing, () =>
        assistant.call("edit_food_item", edit),
      );
      expect(errorOf(refused)).toMatchObject({
        error: "item_changed",
        status: 409,
        current_item: { id: eggs?.id, description: "2 scrambled eggs" },
      });
    });

    it("gets an error that names the food that cannot be estimated", async () => {
      const { assistant } = await setup("unknown-food", "--premium");
      await using _ = assistant;
      const refused = await assistant.call("log_food", { food_text: "1 apple\nxyzzy qwrtz" });
      expect(errorOf(refused)).toMatchObject({
        error: "analysis_failed",
        status: 422,
        message: expect.stringContaining("Line 2:") as string,
        given: "xyzzy qwrtz",
      });
      expect(await summaryOf(assistant)).toMatchObject({ entries: [] });
    });

    it("gets the reached limit and the time to retry", async () => {
      const { assistant } = await setup("eater", "--premium");
      await using _ = assistant;
      const twelve = Array.from({ length: 12 }, (_item, index) => `${index + 1} almonds`);
      for (const date of ["2026-03-01", "2026-03-02"]) {
        await succeed(assistant, "log_food", { food_text: twelve.join("\n"), date });
      }
      const food_text = twelve.slice(5).join("\n");
      expect(errorOf(await assistant.call("log_food", { food_text }))).toMatchObject({
        error: "rate_limit_exceeded",
        status: 429,
        limit: {
          name: "lines-10-minutes",
          max: 30,
          window_seconds: 600,
          used: 24,
          requested: 7,
          retry_after_seconds: expect.any(Number) as number,
        },
        violated: ["lines-10-minutes"],
      });
      await succeed(assistant, "log_food", { food_text: twelve.slice(6).join("\n") });
    });

    it("cannot write without premium, nor with a read-only key", async () => {
      const { id, assistant: free } = await setup("free");
      await using _ = free;
      const write = { food_text: "1 apple" };
      expect(errorOf(await free.call("log_food", write))).toMatchObject({
        error: "premium_required",
        status: 403,
      });
      const { key } = await running().admin<{ key: string }>(
        ...["keys", "create", "--account", id, "--scopes", "service.read"],
      );
      await using reader = await connect(running().baseUrl, key);
      expect(await reader.listTools()).toEqual(TOOLS.slice(4));
      expect(errorOf(await reader.call("log_food", write))).toMatchObject({
        error: "insufficient_scope",
        status: 403,
      });
    });
  });

  it("a client is told to retry when part of the service is down", async () => {
    const system = running();
    const { key } = await system.account("away@example.com", "--premium");
    await using assistant = await connectAssistant(system.baseUrl, key);
    await new LaunchedProcesses(system.dataFolder).killService("journal");
    const refused = await assistant.call("get_nutrition_summary", {});
    expect(errorOf(refused)).toMatchObject({
      error: "service_unavailable",
      status: 503,
      retry_after_seconds: expect.any(Number) as number,
    });
    await expect
      .poll(async () => (await assistant.call("get_nutrition_summary", {})).isError, {
        timeout: 20_000,
        interval: 250,
      })
      .toBe(false);
  }, 30_000);
}

async function expectWritesOnce(assistant: Assistant): Promise<void> {
  const once = async (name: string, args: Arguments) => {
    const before = await summaryOf(assistant, DAY);
    const first = await succeed(assistant, name, args);
    const after = await summaryOf(assistant, DAY);
    expect(after).not.toEqual(before);
    expect(after["totals"]).toEqual(first["totals"]);
    expect(await succeed(assistant, name, args)).toEqual({ ...first, duplicate: true });
    expect(await summaryOf(assistant, DAY)).toEqual(after);
    return first;
  };
  const food_text = "2 scrambled eggs\n1 apple\n1 banana";
  const [eggs, apple, banana] = (await once("log_food", { food_text, date: DAY }))[
    "items"
  ] as Item[];
  await once("edit_food_item", { item_id: eggs?.id, replacement_text: "3 scrambled eggs" });
  const item_ids = [apple?.id, banana?.id];
  const { item } = await once("merge_food_items", { item_ids, merged_text: "Fruit" });
  expect(item).toMatchObject({ id: apple?.id, description: "Fruit" });
  await once("delete_food_item", { date: DAY, item_query: "fruit" });
}
