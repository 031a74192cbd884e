import { DOCS } from "@nutrition/gateway/docs/paths";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isWithoutChromium, launchChromium } from "../../services/web/test/chromium.ts";
import { pageFaults } from "../../services/web/test/page-faults.ts";
import { Person } from "../browser/person.ts";
import { System } from "../e2e/system.ts";

const LOOKS = (["light", "dark"] as const).flatMap((colorScheme) =>
  [320, 390, 1_280].map((width) => ({ colorScheme, viewport: { width, height: 900 } })),
);
const PATHS = [...Object.values(DOCS), "/privacy"];

describe.skipIf(isWithoutChromium())("the documentation in a browser", () => {
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

  const open = async (path: string, options: BrowserContextOptions = {}) => {
    const reader = await Person.arrive(browser, system, options);
    await reader.open(path);
    await reader.page.waitForLoadState("networkidle");
    return reader;
  };

  it.each(LOOKS)("is accessible and fits ($colorScheme, $viewport.width px)", async (look) => {
    await using reader = await open(DOCS.start, look);
    for (const path of PATHS) {
      await reader.open(path);
      expect(await pageFaults(reader.page), path).toEqual([]);
    }
    expect(reader.alarms).toEqual([]);
    expect([...reader.origins]).toEqual([system.baseUrl]);
  });

  it("without scripts has all of the text, and no control that does nothing", async () => {
    await using reader = await open(DOCS.rest, { javaScriptEnabled: false });
    const { page } = reader;
    expect(await page.getByRole("heading", { name: "Totals of one day" }).isVisible()).toBe(true);
    for (const path of Object.values(DOCS)) {
      await reader.open(path);
      expect(await page.getByRole("button").count(), path).toBe(0);
      expect(await page.getByRole("searchbox").count(), path).toBe(0);
    }
    await reader.open(DOCS.rest);
    await page.getByText("Python", { exact: true }).first().click();
    expect(await page.getByText("import json, os, urllib.request").first().isVisible()).toBe(true);
  });

  it("finds a section from the keyboard alone", async () => {
    await using reader = await open(DOCS.start);
    const { page } = reader;
    await page.keyboard.press("/");
    await page.keyboard.type("retry-after");
    await page.locator(".found a").first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#/);
    await page.getByRole("searchbox").fill("log food");
    expect(await page.locator(".found a").first().getAttribute("href")).toBe(
      "/docs/mcp#tool-log_food",
    );
    await page.getByRole("searchbox").fill("zzzz");
    await page.getByText("Nothing found for “zzzz”.").waitFor();
  });

  it("copies code, and selects it where there is no clipboard", async () => {
    await using reader = await open(DOCS.start, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = reader;
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("/api/v1/nutrition");
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.reload();
    await page.getByRole("button", { name: "Select" }).first().click();
    expect(await page.evaluate("String(getSelection())")).toContain("/api/v1/nutrition");
  });

  it("sends requests with a pasted key, which is stored nowhere and gone after a reload", async () => {
    const { api_key: key } = await system.demo();
    await using reader = await open(DOCS.rest);
    const { page } = reader;
    const form = page.locator('form[data-path="/api/v1/weight-history"]');
    await form.getByRole("button").click();
    await form.getByText("Paste an API key").waitFor();
    await page.getByLabel("API key for").fill(key);
    await form.getByLabel("limit").fill("2");
    await form.getByRole("button").click();
    await form.getByText(/^200 in \d+ ms; RateLimit: "key-hour";r=\d+/).waitFor();
    expect(JSON.parse(await form.locator(".answer").innerText())).toMatchObject({ limit: 2 });
    const kept =
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])";
    expect(String(await page.evaluate(kept))).not.toContain(key.slice(-20));
    await page.reload();
    expect(await page.getByLabel("API key for").inputValue()).toBe("");
    expect(reader.alarms).toEqual([]);
  });

  it("calls a tool, and shows what it refuses", async () => {
    const { api_key: key } = await system.demo();
    await using reader = await open(DOCS.assistants);
    const { page } = reader;
    await page.getByLabel("API key for").fill(key);
    const form = page.locator('form[data-tool="get_nutrition_summary"]');
    await form.getByRole("button").click();
    await form.getByText(/^200 in/).waitFor();
    expect(await form.locator(".answer").innerText()).toContain('"structuredContent"');
    await form.getByLabel("arguments").fill('{ "date": "2026-02-30" }');
    await form.getByRole("button").click();
    await expect.poll(() => form.locator(".answer").innerText()).toContain("isError");
    await form.getByLabel("arguments").fill("{");
    await form.getByRole("button").click();
    await form.getByText("The arguments are not JSON.").waitFor();
  });
});
