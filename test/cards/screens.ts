import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { Item } from "./fixture.ts";
import { Table } from "./fixture.ts";

// node test/cards/screens.ts FOLDER [--units]: takes a screenshot of every card with results of real calls,
// light and dark, wide and narrow; with --units, for a person with units that are not the documents' own.

const LOOKS = (["light", "dark"] as const).flatMap((colorScheme) =>
  [720, 320].map((width) => ({ colorScheme, width })),
);
const BREAKFAST = "2 scrambled eggs\n1 slice wholewheat toast with butter\n250 ml water";

/** Resolves once two frames have been drawn. */
const DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

const [folder, option] = process.argv.slice(2);
if (folder === undefined)
  throw new Error("A folder is required: node test/cards/screens.ts FOLDER [--units]");
await mkdir(folder, { recursive: true });
await using table = await Table.lay();
const { account_id: account, api_key: key } = await table.system.demo();
if (option === "--units") {
  await table.system.setUnits(account, { energy: "kJ", weight: "st", water: "fl_oz" });
}
await using diner = await table.seatWith(key);

const logged = await diner.client.call({
  name: "log_food",
  arguments: { food_text: BREAKFAST, date: "2026-03-02" },
});
const { items } = logged.structuredContent as { items: readonly Item[] };
const edited = await diner.client.call({
  name: "edit_food_item",
  arguments: { item_id: items[0]?.id, replacement_text: "3 scrambled eggs" },
});
const [summary, days, profile, weights] = await Promise.all(
  [
    ["get_nutrition_summary", {}],
    ["list_food_entries", { limit: 30 }],
    ["get_profile", {}],
    ["list_weight_history", {}],
  ].map(([name, args]) =>
    diner.client.call({ name: name as string, arguments: args as Record<string, unknown> }),
  ),
);
const RESULTS = [
  ["logged", "log_food", logged],
  ["changed", "edit_food_item", edited],
  ["day", "get_nutrition_summary", summary],
  ["days", "list_food_entries", days],
  ["profile", "get_profile", profile],
  ["weights", "list_weight_history", weights],
] as const;
for (const look of LOOKS) {
  for (const [name, tool, result] of RESULTS) {
    const card = await diner.client.cardOf(tool);
    await using host = await table.show({ card, result, ...look });
    // A screenshot of the full page resizes it, and Chromium may then capture the frame before it is drawn.
    const height = (await host.page.evaluate("document.documentElement.scrollHeight")) as number;
    await host.page.setViewportSize({ width: look.width, height });
    await host.page.evaluate(DRAWN);
    const path = join(folder, `${name}-${look.colorScheme}-${look.width}.png`);
    await host.page.screenshot({ path });
  }
}
