import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isWithoutChromium } from "../../services/web/test/chromium.ts";
import { pageFaults } from "../../services/web/test/page-faults.ts";
import { raiseLimits } from "../conformance/raised-limits.ts";
import type { Item } from "./fixture.ts";
import { Diner, Table } from "./fixture.ts";

const LOOKS = [
  { width: 720, colorScheme: "light" },
  { width: 320, colorScheme: "dark" },
] as const;
const DAY = "2026-03-02";
const HOSTILE = [
  `<img src=//evil.example/x onerror=alert(1)><script>alert(2)</script>"'> 100 kcal`,
  "\u202Egge 2\u2066 rebmun \u200Begg 100 kcal",
  `${"W".repeat(480)} 100 kcal`,
];

/** The arguments that log food anew each time. */
function freshLog(food_text: string) {
  return { food_text, date: DAY, idempotency_key: randomUUID() };
}

interface RecordedDay {
  readonly items: readonly Item[];
}

/** A result like the recorded one, with 90 days of 40 lines. */
function heavyDays(recorded: RecordedDay) {
  const last = Date.UTC(2026, 10, 21);
  const entries = Array.from({ length: 90 }, (_, day) => ({
    ...recorded,
    date: new Date(last - day * 86_400_000).toISOString().slice(0, 10),
    items: Array.from({ length: 40 }, () => recorded.items[0]),
  }));
  return { content: [], structuredContent: { entries, limit: 90 } };
}

describe.skipIf(isWithoutChromium())("a card in a host", () => {
  let table: Table;
  let diner: Diner;
  const ends = new AsyncDisposableStack();
  beforeAll(async () => {
    const { file } = ends.use(await raiseLimits());
    table = ends.use(await Table.lay({ LIMITS_POLICY_FILE: file }));
    const { api_key } = await table.system.demo();
    diner = ends.use(await table.seatWith(api_key));
  }, 90_000);
  afterAll(() => ends.disposeAsync());

  /** A day with two lines, and their ids. */
  async function logged(): Promise<Item[]> {
    const args = freshLog("2 scrambled eggs\n1 apple");
    const { structuredContent } = await diner.client.call({ name: "log_food", arguments: args });
    return (structuredContent as { items: Item[] }).items;
  }

  const CALLS: readonly [string, RegExp, () => Promise<object>][] = [
    ["get_nutrition_summary", /kcal.*Protein.*Food and drink.*Change/, async () => ({})],
    [
      "list_food_entries",
      /kcal a day on average.*Fat, up to/,
      async () => ({ limit: 90, include_items: false }),
    ],
    ["list_food_entries", /weekday.*kcal/, async () => ({})],
    ["get_profile", /Daily goals of Robin Keller Energy 1,900 kcal.*Water/, async () => ({})],
    ["list_weight_history", /Weight on.*kg.*Trend/, async () => ({})],
    [
      "log_food",
      /Logged on Monday 2 March 2026.*1 apple.*Assumed.*Undo all of it/,
      async () => ({ ...freshLog("1 apple") }),
    ],
    [
      "edit_food_item",
      /Corrected on.*Before 2 scrambled eggs After 3 eggs.*Undo/,
      async () => ({ item_id: (await logged())[0]?.id, replacement_text: "3 eggs" }),
    ],
    [
      "merge_food_items",
      /Merged on.*Before 2 scrambled eggs 1 apple After Brunch/,
      async () => ({ item_ids: (await logged()).map(({ id }) => id), merged_text: "Brunch" }),
    ],
    [
      "delete_food_item",
      /Deleted from.*Before 2 scrambled eggs.*Undo/,
      async () => ({ item_id: (await logged())[0]?.id }),
    ],
  ];
  it.each(CALLS)(
    "draws a result of %s, in both themes, narrow and wide, without a fault or a request",
    async (tool, content, prepare) => {
      for (const look of LOOKS) {
        await using host = await diner.show(
          tool,
          (await prepare()) as Record<string, unknown>,
          look,
        );
        expect(await host.text()).toMatch(content);
        for (const summary of await host.frame.locator("summary").all())
          await summary.press("Enter");
        expect(await pageFaults(host.frame)).toEqual([]);
        expect(host.alarms).toEqual([]);
        expect(host.leaks).toEqual([]);
      }
    },
  );

  it("shows rounded figures, and that a ceiling is passed", async () => {
    const args = {
      ...freshLog("a feast with 2500.4 kcal and 20.26 g protein"),
      date: "2026-03-03",
    };
    await using host = await diner.show("log_food", args);
    expect(await host.text()).toMatch(/2,500 kcal 600 over the 1,900 kcal goal.*20.3 of 120 g/);
    expect(await host.frame.locator(".over").count()).toBe(1);
    expect(await pageFaults(host.frame)).toEqual([]);
  });

  it("shows energy, weight and water in the person's units, also to screen readers", async () => {
    const { account_id } = await table.system.demo();
    await table.system.setUnits(account_id, { energy: "kJ", weight: "st", water: "fl_oz" });
    const water = { ...freshLog("250 ml water"), date: "2026-03-04" };
    try {
      for (const [tool, args, said] of [
        ["get_profile", {}, /Energy 7,950 kJ.*Water [\d.]+ fl oz/],
        ["log_food", water, /250 ml water 8\.5 fl oz.*0 kJ 7,950 left of 7,950 kJ.*Water 8\.5 of/],
        ["get_nutrition_summary", {}, /[\d,]+ kJ .* of 7,950 kJ.*Food and drink.* kJ/],
        ["list_food_entries", {}, /kJ a day on average.*Energy by day, up to [\d,]+ kJ.*kJ/],
        ["list_weight_history", {}, /Weight on .* \d+ st [\d.]+ lb Down .*Trend: \d+ st/],
      ] as const) {
        await using host = await diner.show(tool, args, LOOKS[1]);
        for (const summary of await host.frame.locator("summary").all())
          await summary.press("Enter");
        expect(await host.text()).toMatch(said);
        const labels = await host.frame
          .locator("[aria-label]")
          .evaluateAll((all) => all.map((element) => element.ariaLabel));
        expect([await host.text(), ...labels].join("\n")).not.toMatch(/\bkcal\b|\bkg\b/);
        expect(await pageFaults(host.frame)).toEqual([]);
      }
    } finally {
      await table.system.setUnits(account_id, { energy: "kcal", weight: "kg", water: "ml" });
    }
  });

  it("shows the units of documents if the host passes on none that it knows", async () => {
    const args = { ...freshLog("250 ml water"), date: "2026-03-05" };
    const result = await diner.client.call({ name: "log_food", arguments: args });
    for (const units of [{ water: "cups", energy: "cal" }, undefined, null, "kJ"]) {
      const named = { ...result, _meta: { "nutrition-journal/units": units } };
      await using host = await diner.show("log_food", args, { result: named });
      expect(await host.text()).toMatch(/250 ml water 250 ml.* kcal .*Water 250 of [\d,]+ ml/);
    }
  });

  it("waits calmly for a host that says nothing", async () => {
    const card = await diner.client.cardOf("get_nutrition_summary");
    const page = await table.browser.newPage();
    const alarms: string[] = [];
    page.on("console", (message) => alarms.push(message.text()));
    page.on("pageerror", (error) => alarms.push(error.message));
    await page.setContent(card.text);
    expect(await page.locator("main").innerText()).toBe("Waiting for the journal …");
    expect(alarms).toEqual([]);
    await page.close();
  });

  it("shows hostile food text as text", async () => {
    const guest = await table.seat("hostile");
    await using _ = guest;
    for (const line of HOSTILE) {
      await guest.client.call({ name: "log_food", arguments: freshLog(line) });
    }
    for (const tool of ["get_nutrition_summary", "list_food_entries"]) {
      await using host = await guest.show(
        tool,
        tool === "list_food_entries" ? {} : { date: DAY },
        LOOKS[1],
      );
      for (const summary of await host.frame.locator("summary").all()) await summary.press("Enter");
      await expect.poll(() => host.text()).toContain("<img src=//evil.example/x onerror=alert(1)>");
      expect(await host.frame.locator("main img, main script").count()).toBe(0);
      expect(await host.text()).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B]/);
      expect(await pageFaults(host.frame)).toEqual([]);
      expect(host.alarms).toEqual([]);
      expect(host.leaks).toEqual([]);
    }
  });

  it("draws ninety of the heaviest days, and forty lines of one", async () => {
    const { structuredContent } = await diner.client.call({ name: "list_food_entries" });
    const { entries } = structuredContent as { entries: RecordedDay[] };
    await using many = await diner.show(
      "list_food_entries",
      {},
      { result: heavyDays(entries[0]!), ...LOOKS[1] },
    );
    expect(await many.text()).toContain("90 days with a log, 0 without");
    await many.frame.locator("summary", { hasText: "Sat 21 Nov" }).press("Enter");
    await many.frame.locator("summary", { hasText: "30 more" }).press("Enter");
    await expect.poll(() => many.frame.locator("li.item").count()).toBe(40);
    expect(await pageFaults(many.frame)).toEqual([]);
    expect(many.alarms).toEqual([]);
  });

  it("tells the host its height, and takes on its theme, colors, insets and locale", async () => {
    const context = {
      theme: "dark",
      locale: "de-DE",
      safeAreaInsets: { top: 30, right: 0, bottom: 0, left: 0 },
      styles: { variables: { "--color-text-primary": "rgb(1, 2, 3)" } },
    };
    await using host = await diner.show("get_profile", {}, { context });
    expect(await host.text()).toContain("1.900 kcal");
    const style = (expression: string) => host.frame.evaluate(expression);
    expect(await style("getComputedStyle(document.body).color")).toBe("rgb(1, 2, 3)");
    expect(await style("getComputedStyle(document.body).paddingTop")).toBe("46px");
    expect(await style("document.documentElement.style.colorScheme")).toBe("dark");
    const heights = () => style("[innerHeight, document.body.offsetHeight].join()");
    await expect.poll(heights).toMatch(/^(\d+),\1$/);
  });

  it("says what is wrong when the call was refused, cancelled or answered with something else", async () => {
    await using refused = await diner.show("get_nutrition_summary", { date: "x" });
    expect(await refused.text()).toContain("a day that exists");
    await using strange = await diner.show(
      "get_profile",
      {},
      { result: { structuredContent: { a: 1 }, content: [] } },
    );
    expect(await strange.text()).toContain("There is nothing to show here.");
    await using bare = await diner.show("get_profile", {}, { result: { content: [] } });
    expect(await bare.text()).toContain("There is nothing to show here.");
    expect([...refused.alarms, ...strange.alarms, ...bare.alarms]).toEqual([]);
  });

  it("has no buttons for a connection that may only read, and says where to allow more", async () => {
    const { account_id } = await table.system.demo();
    const { key } = await table.system.admin<{ key: string }>(
      ...["keys", "create", "--account", account_id, "--scopes", "service.read"],
    );
    await using reader = await table.seatWith(key);
    await using host = await reader.show("get_nutrition_summary");
    expect(await host.frame.getByRole("button", { name: "Change" }).count()).toBe(0);
    await host.click(host.frame.getByRole("button", { name: "open the settings" }));
    const settings = `${table.system.baseUrl}/settings/connections`;
    await expect.poll(() => host.opened).toEqual([settings]);
    await using plain = await reader.show("get_nutrition_summary", {}, { capabilities: {} });
    expect(await plain.text()).toContain(settings);
  });

  it("has no buttons in a host that passes no calls on", async () => {
    await using host = await diner.show("get_nutrition_summary", {}, { capabilities: {} });
    expect(await host.frame.getByRole("button").count()).toBe(0);
  });
});
