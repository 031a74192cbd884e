import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isWithoutChromium, launchChromium } from "../../services/web/test/chromium.ts";
import { pageFaults } from "../../services/web/test/page-faults.ts";
import { connectAssistant } from "../e2e/assistants.ts";
import { System } from "../e2e/system.ts";
import type { Look } from "./camera.ts";
import { inboxOf, register } from "./connected.ts";
import { Person } from "./person.ts";

const LOOKS: readonly Look[] = [
  { colorScheme: "light", viewport: { width: 390, height: 844 } },
  { colorScheme: "dark", viewport: { width: 1_280, height: 900 } },
];
const PAGE_BYTES_MAX = 150_000;
const PASSWORD = "a long password of mine";
const BREAKFAST = "2 scrambled eggs\n1 slice of toast with butter";

/** The link of one of the three first steps. */
const stepOf = (page: Page, name: string) => page.locator("ol.steps").getByRole("link", { name });

/** Bytes of the page and of all that it loads, unpacked. */
async function weightOf(page: Page): Promise<number> {
  return (await page.evaluate(
    "performance.getEntries().reduce((sum, { decodedBodySize = 0 }) => sum + decodedBodySize, 0)",
  )) as number;
}

describe.skipIf(isWithoutChromium())("somebody's first time", () => {
  let system: System;
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
    system = await System.start();
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await system[Symbol.asyncDispose]();
  });

  /** Requirements for every page on the way. */
  async function inspect({ page }: Person): Promise<void> {
    await page.waitForLoadState("networkidle");
    const path = new URL(page.url()).pathname;
    expect(await pageFaults(page), path).toEqual([]);
    expect(await weightOf(page), path).toBeLessThan(PAGE_BYTES_MAX);
    const blocking =
      "document.querySelectorAll('script[src]:not([type=module], [defer], [async])').length";
    expect(await page.evaluate(blocking), `scripts before the first paint of ${path}`).toBe(0);
  }

  /** Creates the account and follows the link in the mail; each page is looked at. */
  async function signUp(person: Person, email: string, look = inspect): Promise<void> {
    const { page } = person;
    await person.open("/");
    await look(person);
    await page.getByRole("link", { name: "Create an account" }).click();
    await look(person);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Send me the link" }).click();
    await page.getByRole("heading", { name: "Check your mail" }).waitFor();
    await look(person);
    await page.goto(inboxOf(system));
    await page.locator("article", { hasText: email }).getByRole("link").first().click();
    await page.getByRole("button", { name: "Confirm my address" }).waitFor();
    await look(person);
    await page.getByRole("button", { name: "Confirm my address" }).click();
    await page.getByText(`${email} is confirmed`).waitFor();
    await look(person);
    await page.locator("#password").fill(PASSWORD);
    await page.getByRole("button", { name: "Save the password" }).click();
    await page.waitForURL(/\/journal/);
  }

  /** Follows the first two steps to the page of settings. */
  async function choosePlaceAndGoal({ page }: Person): Promise<void> {
    await stepOf(page, "Choose your time zone").click();
    await page.getByRole("combobox", { name: "Time zone" }).selectOption("Europe/Berlin");
    await page.locator('[name="goals.calories"]').fill("2000");
    await page.locator('[name="goals.calories"]').press("Enter");
    await page.getByRole("heading", { level: 1 }).waitFor();
  }

  it.each(LOOKS)(
    "leads from / to a first breakfast in the chart ($viewport.width px, $colorScheme)",
    async (look) => {
      const email = `first-${look.viewport.width}@example.com`;
      await using person = await Person.arrive(browser, system, look);
      const { page } = person;
      await signUp(person, email);
      await inspect(person);
      expect(await page.locator("main").innerText()).toContain(
        `npm run -s admin -- accounts set ${email} --premium`,
      );
      await system.admin("accounts", "set", email, "--premium");
      await choosePlaceAndGoal(person);
      await inspect(person);
      await person.open("/journal");
      await page.getByText("Choose your time zone: done").waitFor();
      await page.getByText("Set daily goals: done").waitFor();
      await stepOf(page, "Connect an assistant").click();
      await inspect(person);
      expect(await page.locator("main").innerText()).toContain(`${system.baseUrl}/mcp`);

      const client = await register(system, "Claude Code");
      const { address, codeVerifier } = await client.ask();
      await page.goto(address.href);
      await page.getByText("What may it do?").waitFor();
      await inspect(person);
      const back = await person.allow("Read and log", client.redirectUri);
      const code = back.searchParams.get("code") ?? "";
      const { access_token: token } = await client.exchange(code, codeVerifier);
      await using assistant = await connectAssistant(system.baseUrl, token);
      const logged = await assistant.call("log_food", { food_text: BREAKFAST });
      expect(logged.isError, logged.text).toBe(false);
      const { totals, date } = logged.structured as { totals: { calories: number }; date: string };

      await person.open("/journal");
      expect(await page.locator("main").innerText()).not.toContain("Three steps");
      await page.locator('[data-chart="calories"] canvas').waitFor();
      await inspect(person);
      await person.open(`/journal/${date}`);
      await inspect(person);
      const day = await page.locator("main").innerText();
      expect(day).toMatch(/2 scrambled eggs[^]*1 slice of toast with butter/);
      expect(day).toContain(`${Math.round(totals.calories)}`);
      expect(person.alarms).toEqual([]);
    },
    120_000,
  );

  it("is shown every page of the way without scripts, too", async () => {
    await using person = await Person.arrive(browser, system, { javaScriptEnabled: false });
    const { page } = person;
    await signUp(person, "no-scripts@example.com", async () => {});
    expect(await person.heading()).not.toBe("");
    await stepOf(page, "Choose your time zone").waitFor();
    for (const path of ["/settings/profile", "/settings/connections", "/settings/keys"]) {
      expect(await person.open(path)).toBe(200);
      expect(await page.locator("main").innerText()).not.toBe("");
    }
  });
});
