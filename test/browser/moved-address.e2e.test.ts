import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isWithoutChromium, launchChromium } from "../../services/web/test/chromium.ts";
import { type Demo, System } from "../e2e/system.ts";
import { Person } from "./person.ts";

interface Account {
  id: string;
  email: string;
}

/** Signs the demo account in, and returns the text of its journal page. */
async function journalOf(browser: Browser, { baseUrl }: System, demo: Demo): Promise<string> {
  await using person = await Person.arrive(browser, { baseUrl });
  await person.signIn(demo);
  const text = await person.page.locator("main").innerText();
  expect(person.alarms).toEqual([]);
  return text;
}

describe.skipIf(isWithoutChromium())("a person whose installation has moved", () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await launchChromium()));
  afterAll(() => browser.close());

  it("finds the same journal at another port and name, and after an update from a version without ids", async () => {
    await using first = await System.start();
    const demo = await first.demo();
    const accounts = await first.admin<Account[]>("accounts", "list");
    const before = await journalOf(browser, first, demo);
    await first.stop();

    const moved = { DATA_DIR: first.dataFolder };
    await using second = await System.start(moved);
    expect(second.baseUrl).not.toBe(first.baseUrl);
    expect(await journalOf(browser, second, demo)).toBe(before);
    expect(await second.admin("accounts", "list")).toEqual(accounts);
    await second.stop();

    // Accounts were bound to something else before.
    const file = join(first.dataFolder, "installation.json");
    await writeFile(file, JSON.stringify({ id: crypto.randomUUID(), are_people_moved: false }));
    await second.start();
    expect(await journalOf(browser, second, demo)).toBe(before);
    expect(await second.admin("accounts", "list")).toEqual(accounts);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ are_people_moved: true });
  }, 120_000);
});
