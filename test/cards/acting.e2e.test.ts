import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { isWithoutChromium } from "../../services/web/test/chromium.ts";
import { raiseLimits } from "../conformance/raised-limits.ts";
import type { CardHost, ToolCall } from "./card-host.ts";
import { Table } from "./fixture.ts";
import type { Diner } from "./fixture.ts";

const DAY = "2026-03-02";
const FOOD = "2 scrambled eggs\n1 apple";

describe.skipIf(isWithoutChromium())("a person who acts in a card", () => {
  let table: Table;
  let diner: Diner;
  let people = 0;
  const ends = new AsyncDisposableStack();
  const shown: CardHost[] = [];
  beforeAll(async () => {
    const { file } = ends.use(await raiseLimits());
    table = ends.use(await Table.lay({ LIMITS_POLICY_FILE: file }));
  }, 90_000);
  afterAll(() => ends.disposeAsync());
  afterEach(async () => {
    for (const host of shown.splice(0)) {
      expect(host.alarms).toEqual([]);
      expect(host.leaks).toEqual([]);
      await host[Symbol.asyncDispose]();
    }
    await diner[Symbol.asyncDispose]();
  });

  /** A card in the journal of a new person, with two lines logged. */
  async function open(tool: string, args: object = {}, changed: object = {}): Promise<CardHost> {
    people += 1;
    diner = await table.seat(`actor-${people}`);
    if (tool !== "log_food") await log();
    const [item] = await diner.items(DAY);
    const named = tool.includes("item") && tool !== "merge_food_items" ? { item_id: item?.id } : {};
    const host = await diner.show(tool, { ...named, ...args }, changed);
    shown.push(host);
    return host;
  }

  const log = () =>
    diner.client.call({ name: "log_food", arguments: { food_text: FOOD, date: DAY } });
  const row = (host: CardHost, text: string) =>
    host.frame.getByRole("listitem").filter({ has: host.frame.locator("bdi", { hasText: text }) });
  const press = (host: CardHost, text: string, button: string) =>
    host.click(row(host, text).getByRole("button", { name: button }));
  const said = (host: CardHost) => expect.poll(() => host.text());

  it("corrects the amount and takes it back", async () => {
    const host = await open("get_nutrition_summary", { date: DAY });
    await press(host, "2 scrambled eggs", "Change");
    await row(host, "2 scrambled eggs").getByRole("textbox", { name: "Amount" }).fill("4");
    await press(host, "2 scrambled eggs", "Save");
    await said(host).toContain("Corrected.");
    expect(await diner.lines(DAY)).toEqual(["4 scrambled eggs", "1 apple"]);
    const total = (await diner.items(DAY)).reduce((sum, item) => sum + item.calories, 0);
    expect(await host.text()).toContain(
      `${total.toLocaleString("en", { maximumFractionDigits: 0 })} kcal`,
    );
    expect(host.told).toMatch(/corrected "2 scrambled eggs" \(item_id .*\) to "4 scrambled eggs"/);
    await press(host, "4 scrambled eggs", "Undo");
    await said(host).toMatch(/2 scrambled eggs.*Corrected/);
    expect(await diner.lines(DAY)).toEqual(["2 scrambled eggs", "1 apple"]);
  });

  it("corrects a line with the keyboard alone", async () => {
    const host = await open("get_nutrition_summary", { date: DAY });
    await row(host, "1 apple").getByRole("button", { name: "Change" }).press("Enter");
    await row(host, "1 apple").getByRole("textbox", { name: "Line" }).fill("2 bananas");
    await row(host, "1 apple").getByRole("textbox", { name: "Line" }).press("Enter");
    await said(host).toContain("Corrected.");
    expect(await diner.lines(DAY)).toEqual(["2 scrambled eggs", "2 bananas"]);
    await expect.poll(() => host.frame.evaluate("document.activeElement.textContent")).toBe("Undo");
  });

  it("deletes after one question, and puts the line back", async () => {
    const host = await open("get_nutrition_summary", { date: DAY });
    await press(host, "1 apple", "Change");
    await press(host, "1 apple", "Delete");
    await said(host).toContain("Delete this line?");
    expect(await diner.lines(DAY)).toHaveLength(2);
    await press(host, "1 apple", "Delete");
    await said(host).toContain("Deleted.");
    expect(await diner.lines(DAY)).toEqual(["2 scrambled eggs"]);
    await press(host, "1 apple", "Undo");
    await said(host).toContain("It is back.");
    expect(await diner.lines(DAY)).toEqual(["2 scrambled eggs", "1 apple"]);
  });

  it("logs a line again today, and takes that back", async () => {
    const host = await open("get_nutrition_summary", { date: DAY });
    const today = new Date().toISOString().slice(0, 10);
    await press(host, "1 apple", "Change");
    await press(host, "1 apple", "Log again today");
    await said(host).toContain("Logged again on");
    expect(await diner.lines(today)).toEqual(["1 apple"]);
    await press(host, "1 apple", "Undo");
    await said(host).toContain("Taken back.");
    expect(await diner.lines(today)).toEqual([]);
    expect(await diner.lines(DAY)).toHaveLength(2);
  });

  it("undoes all that a call has logged, and nothing that it has not", async () => {
    const host = await open("log_food", { food_text: FOOD, date: DAY });
    await host.click(host.frame.getByRole("button", { name: "Undo all of it" }));
    await said(host).toContain("Taken back.");
    expect(await diner.lines(DAY)).toEqual([]);
    await log();
    const again = await diner.show("log_food", { food_text: FOOD, date: DAY });
    shown.push(again);
    expect(await again.text()).toContain("Already logged on");
    expect(await again.frame.getByRole("button", { name: "Undo all of it" }).count()).toBe(0);
  });

  it("undoes an edit of the assistant's: the line is as it was, and keeps its id", async () => {
    const host = await open("edit_food_item", { replacement_text: "5 bananas" });
    const [edited] = await diner.items(DAY);
    expect(edited?.description).toBe("5 bananas");
    await host.click(host.frame.getByRole("button", { name: "Undo" }));
    await said(host).toContain("It is back");
    const [item] = await diner.items(DAY);
    expect(item).toMatchObject({ id: edited?.id, description: "2 scrambled eggs" });
  });

  it("undoes a deletion and a merge", async () => {
    const host = await open("delete_food_item");
    await host.click(host.frame.getByRole("button", { name: "Undo" }));
    await said(host).toContain("It is back");
    expect((await diner.lines(DAY)).toSorted()).toEqual(["1 apple", "2 scrambled eggs"]);
    const item_ids = (await diner.items(DAY)).map(({ id }) => id);
    const merged = await diner.show("merge_food_items", { item_ids, merged_text: "Brunch" });
    shown.push(merged);
    expect(await diner.lines(DAY)).toEqual(["Brunch"]);
    await merged.click(merged.frame.getByRole("button", { name: "Undo" }));
    await said(merged).toContain("It is back");
    expect((await diner.lines(DAY)).toSorted()).toEqual(["1 apple", "2 scrambled eggs"]);
  });

  it("sees the change at once, and the journal's answer when it comes", async () => {
    const answered = Promise.withResolvers<void>();
    const callTool = async (call: ToolCall) => {
      await answered.promise;
      return diner.client.call(call);
    };
    const host = await open("get_nutrition_summary", { date: DAY }, { callTool });
    const before = await host.frame.locator(".energy-figure").innerText();
    await press(host, "2 scrambled eggs", "Change");
    await row(host, "2 scrambled eggs").getByRole("textbox", { name: "Amount" }).fill("4");
    await press(host, "2 scrambled eggs", "Save");
    await said(host).toContain("Correcting to “4 scrambled eggs” …");
    expect(await host.frame.locator(".energy-figure").innerText()).not.toBe(before);
    expect(await row(host, "2 scrambled eggs").getByRole("button").count()).toBe(0);
    answered.resolve();
    await said(host).toContain("Corrected.");
  });

  it("has one effect when the answer was lost and the button is pressed again", async () => {
    let calls = 0;
    const callTool = async (call: ToolCall) => {
      calls += 1;
      const result = await diner.client.call(call);
      if (calls === 1) throw new Error("The connection was lost");
      return result;
    };
    const host = await open("get_nutrition_summary", { date: DAY }, { callTool });
    const today = new Date().toISOString().slice(0, 10);
    await press(host, "1 apple", "Change");
    await press(host, "1 apple", "Log again today");
    await said(host).toContain("The journal did not answer.");
    await press(host, "1 apple", "Try again");
    await said(host).toContain("Logged again");
    expect(calls).toBe(2);
    expect(await diner.lines(today)).toEqual(["1 apple"]);
  });

  const error = (document: object) => ({
    isError: true,
    content: [{ type: "text", text: JSON.stringify(document) }],
  });
  it.each([
    [
      "a cap",
      {
        error: "rate_limit_exceeded",
        limit: { name: "lines-day", max: 30, window_seconds: 600, retry_after_seconds: 61 },
      },
      "The limit of 30 food lines in 10 minutes is reached. Nothing was changed. Try again in 61 seconds.",
    ],
    [
      "a permission that is missing",
      { error: "insufficient_scope" },
      "This connection may only read",
    ],
    [
      "an account without premium",
      { error: "premium_required" },
      "needs a premium or beta account",
    ],
    ["a line that is gone", { error: "item_not_found" }, "This line is no longer in the journal."],
    ["food that nobody knows", { error: "analysis_failed" }, "could not be estimated"],
    [
      "a part that is away",
      { error: "service_unavailable", retry_after_seconds: 2 },
      "Try again in 2 seconds.",
    ],
    [
      "a reason of its own",
      { error: "later", message: "Later <b>than</b> this card." },
      "Later <b>than</b> this card.",
    ],
  ])("is told of %s, and finds the line as it was", async (_why, document, text) => {
    const callTool = async () => error(document);
    const host = await open("get_nutrition_summary", { date: DAY }, { callTool });
    const before = await host.frame.locator(".energy-figure").innerText();
    await press(host, "1 apple", "Change");
    await row(host, "1 apple").getByRole("textbox", { name: "Line" }).fill("2 apples");
    await press(host, "1 apple", "Save");
    await expect.poll(() => host.frame.getByRole("alert").innerText()).toContain(text);
    expect(await row(host, "1 apple").getByRole("textbox", { name: "Line" }).inputValue()).toBe(
      "2 apples",
    );
    expect(await host.frame.locator(".energy-figure").innerText()).toBe(before);
    expect(host.told).toBe("");
  });

  it("is shown the line as it is now when it changed meanwhile", async () => {
    const current_item = {
      description: "5 apples",
      calories: 500,
      protein: null,
      carbs: null,
      fat: null,
      detailed_description: null,
      confidence_score: null,
      ai_comment: null,
      is_water_entry: false,
    };
    const callTool = async () => error({ error: "item_changed", current_item });
    const host = await open("get_nutrition_summary", { date: DAY }, { callTool });
    await press(host, "1 apple", "Change");
    await row(host, "1 apple").getByRole("textbox", { name: "Line" }).fill("2 apples");
    await press(host, "1 apple", "Save");
    await said(host).toContain("5 apples 500 kcal");
    await said(host).toContain("This line was changed meanwhile.");
  });
});
