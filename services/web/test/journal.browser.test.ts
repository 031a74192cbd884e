import { newId } from "@nutrition/core/ids";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { BrowserContextOptions, Browser as Engine, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { isWithoutChromium, launchChromium } from "./chromium.ts";
import { pageFaults } from "./page-faults.ts";
import { asKeyOf, startWebFixture } from "./web-fixture.ts";
import type { TestPerson, WebFixture } from "./web-fixture.ts";

const DAY = "/journal/2026-06-15";
const SENTENCE = "In my food journal, delete line 1 of 15 June 2026 (“2 eggs”).";

describe.skipIf(isWithoutChromium())("a day in a browser", () => {
  let web: WebFixture;
  let engine: Engine;
  let person: TestPerson;

  beforeAll(async () => {
    web = await startWebFixture();
    engine = await launchChromium();
    person = await web.makePerson();
    const write = { date: "2026-06-15", foodText: "2 eggs", requestId: newId() };
    await web.as("gateway").journal.logFood({ ...write, origin: Origin.TOOL }, asKeyOf(person));
  });
  afterAll(async () => {
    await engine?.close();
    await web[Symbol.asyncDispose]();
  });

  async function open(options: BrowserContextOptions): Promise<Page> {
    const context = await engine.newContext(options);
    const { cookies } = await web.signIn(person);
    await context.addCookies(
      [...cookies].map(([name, value]) => ({ name, value, url: web.baseUrl })),
    );
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    await page.goto(web.baseUrl + DAY);
    return page;
  }

  test.each([320, 1_280])("one click copies the sentence, %s pixels wide", async (width) => {
    const viewport = { width, height: 740 };
    const page = await open({ viewport, permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "Delete line 1, 2 eggs" }).click();
    await page.getByRole("status").getByText(SENTENCE).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(SENTENCE);
    await page.locator("summary").first().click();
    expect(await pageFaults(page)).toEqual([]);
    await page.context().close();
  });

  test("if the browser refuses to copy, the sentence is shown and selected", async () => {
    const page = await open({});
    // As on a page that is not served over https.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.getByRole("button", { name: "Delete line 1, 2 eggs" }).click();
    await page.getByRole("status").getByText("copy it yourself").waitFor();
    expect(await page.evaluate("getSelection().toString()")).toBe(SENTENCE);
    await page.context().close();
  });

  test("without scripts there are no copy buttons, and the sentence can be read", async () => {
    const page = await open({ javaScriptEnabled: false });
    expect(await page.locator("button[data-copy]:visible").count()).toBe(0);
    await page.locator("summary").first().click();
    expect(await page.getByText(SENTENCE).isVisible()).toBe(true);
    await page.context().close();
  });
});
