import { addDays } from "@nutrition/core/civil-date";
import { newId } from "@nutrition/core/ids";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { estimate } from "@nutrition/test-support/fake-services";
import type {
  BrowserContext,
  BrowserContextOptions,
  Browser as Engine,
  Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { isWithoutChromium, launchChromium } from "./chromium.ts";
import { pageFaults } from "./page-faults.ts";
import type { TestPerson, WebFixture } from "./web-fixture.ts";
import { CALL, asPerson, startWebFixture } from "./web-fixture.ts";

const LIGHT: BrowserContextOptions = {
  colorScheme: "light",
  viewport: { width: 1_280, height: 800 },
};
const PHONE: BrowserContextOptions = { colorScheme: "dark", viewport: { width: 360, height: 740 } };

/** A busy machine may draw late. */
const PATIENTLY = { timeout: 8_000 };

describe.skipIf(isWithoutChromium())("keys, profile and journal in a browser", () => {
  let web: WebFixture;
  let engine: Engine;
  let person: TestPerson;
  /** Errors of scripts, and blocked requests. */
  const errors: string[] = [];

  beforeAll(async () => {
    web = await startWebFixture();
    engine = await launchChromium();
    person = await web.makePerson();
    await fillAccount();
  });
  afterAll(async () => {
    await engine?.close();
    await web[Symbol.asyncDispose]();
  });

  afterEach(() => expect(errors.splice(0)).toEqual([]));

  /** Goals, a key, a weight, and food today and on the nine days before. */
  async function fillAccount(): Promise<void> {
    const { auth, journal } = web.as("admin");
    const { accountId } = person;
    const goals = { calories: 1_900, protein: 120, waterMilliliters: 2_000 };
    const change = { settings: { goals }, updateMask: { paths: ["goals"] } };
    await journal.updateSettings({ accountId, ...change }, CALL);
    await auth.createKey({ accountId, name: "script", scopes: ["service.read"] }, CALL);
    const recordedAt = { seconds: BigInt(Math.floor(Date.now() / 1_000)) };
    await journal.putWeight({ accountId, weightId: newId(), weightKg: 70.5, recordedAt }, CALL);
    web.backends.analysis.answer = () =>
      estimate({ calories: 300, protein: 20, carbs: 30, fat: 9, sugar: 4 });
    const today = new Date().toISOString().slice(0, 10);
    for (let daysAgo = 0; daysAgo < 10; daysAgo += 1) {
      const ids = { accountId, requestId: newId(), idempotencyKey: newId() };
      const food = { foodText: "a sandwich", date: addDays(today, -daysAgo) };
      await journal.logFood({ ...ids, ...food, origin: Origin.SEED }, CALL);
    }
  }

  /** A window in which the person is signed in. */
  async function open(
    options: BrowserContextOptions,
  ): Promise<{ context: BrowserContext; page: Page }> {
    const { cookies } = await web.signIn(person);
    const context = await engine.newContext(options);
    context.setDefaultTimeout(8_000);
    await context.addCookies(
      [...cookies].map(([name, value]) => ({ name, value, url: web.baseUrl })),
    );
    const page = await context.newPage();
    page.on("pageerror", (error) => errors.push(error.message));
    // Chromium also reports the status 400 of a refused form.
    page.on("console", (message) => {
      const isOwnStatus = message.location().url === page.url();
      if (message.type() === "error" && !isOwnStatus) errors.push(message.text());
    });
    return { context, page };
  }

  test.each([LIGHT, PHONE])(
    "forms, confirmations and responses have no problem: %o",
    { timeout: 60_000 },
    async (look) => {
      const { context, page } = await open(look);
      const { keys } = await web.as("web").auth.listKeys({}, asPerson(person));
      for (const verb of ["rotate", "revoke"]) {
        await page.goto(`${web.baseUrl}/settings/keys/${keys.at(-1)!.id}/${verb}`);
        expect([verb, await pageFaults(page)]).toEqual([verb, []]);
      }
      await page.goto(`${web.baseUrl}/settings/keys`);
      await page.fill("#name", "another script");
      await page.getByRole("button", { name: "Create the key" }).click();
      await page.getByRole("heading", { name: "Your new key" }).waitFor();
      expect(await pageFaults(page)).toEqual([]);
      await page.goto(`${web.baseUrl}/settings/profile`);
      await page.fill("[id='goals.calories']", "lots");
      await page.getByRole("button", { name: "Save the profile" }).click();
      await page.getByRole("alert").waitFor();
      expect(await pageFaults(page)).toEqual([]);
      await page.goto(`${web.baseUrl}/settings/profile`);
      await page
        .getByRole("link", { name: /^Delete/ })
        .first()
        .click();
      await page.getByRole("heading", { name: "Delete this weight?" }).waitFor();
      expect(await pageFaults(page)).toEqual([]);
      await context.close();
    },
  );

  test.each([LIGHT, PHONE])(
    "an open journal has no problem: %o",
    { timeout: 30_000 },
    async (look) => {
      const { context, page } = await open(look);
      await page.goto(`${web.baseUrl}/journal?days=90`);
      await page.locator("#charts canvas").first().waitFor();
      await page.evaluate(
        "for (const one of document.querySelectorAll('details')) one.open = true",
      );
      expect(await pageFaults(page)).toEqual([]);
      await context.close();
    },
  );

  test(
    "charts follow the color scheme and the width, and keep the table accessible",
    { timeout: 30_000 },
    async () => {
      const { context, page } = await open(LIGHT);
      await page.goto(`${web.baseUrl}/journal`);
      const canvas = page.locator("[data-chart=calories] canvas");
      const picture = () =>
        canvas.evaluate((one) => (one as unknown as { toDataURL(): string }).toDataURL());
      await expect.poll(() => page.locator("#charts canvas").count(), PATIENTLY).toBe(3);
      expect(await page.locator("#trend-figures").getAttribute("open")).toBeNull();
      const light = await picture();
      await page.emulateMedia({ colorScheme: "dark" });
      await expect.poll(picture, PATIENTLY).not.toBe(light);
      await page.setViewportSize({ width: 360, height: 740 });
      await expect
        .poll(async () => (await canvas.boundingBox())!.width, PATIENTLY)
        .toBeLessThan(340);
      await context.close();
    },
  );

  test("proposes the browser's time zone to a person without one, and saves nothing unasked", async () => {
    const { context, page } = await open({ ...LIGHT, timezoneId: "Europe/Berlin" });
    await page.goto(`${web.baseUrl}/journal`);
    await page.getByRole("link", { name: "Choose your time zone" }).click();
    await page.waitForURL(/timezone=Europe%2FBerlin#place/);
    expect(await page.locator("#timezone").inputValue()).toBe("Europe/Berlin");
    const { json } = await web.as("web").journal.getSettings({}, asPerson(person));
    expect(JSON.parse(Buffer.from(json).toString()).timezone).toBe("UTC");
    await context.close();
  });

  test("controls outside of sentences are at least 24 pixels high", async () => {
    const { context, page } = await open(PHONE);
    for (const path of ["/journal", "/settings/profile", "/settings/keys"]) {
      await page.goto(web.baseUrl + path);
      const low: string[] = [];
      for (const one of await page.locator("main :is(summary, .tab, td a, button):visible").all()) {
        if ((await one.boundingBox())!.height < 24) low.push(await one.innerText());
      }
      expect([path, low]).toEqual([path, []]);
    }
    await context.close();
  });

  test("without scripts the figures are a table", async () => {
    const { context, page } = await open({ ...LIGHT, javaScriptEnabled: false });
    await page.goto(`${web.baseUrl}/journal`);
    expect(await page.locator("#charts").isVisible()).toBe(false);
    expect(await page.locator("#trend-figures tbody tr").count()).toBe(10);
    expect(await page.locator("#trend-figures tbody tr").first().isVisible()).toBe(true);
    await context.close();
  });

  test("a key can be copied", async () => {
    const { context, page } = await open(LIGHT);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${web.baseUrl}/settings/keys`);
    await page.fill("#name", "copied");
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByRole("button", { name: "Copy the key" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe(await page.locator("#key-text").textContent());
    await context.close();
  });
});
