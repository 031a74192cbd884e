import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { isWithoutChromium, launchChromium } from "../../services/web/test/chromium.ts";
import { connectAssistant } from "../e2e/assistants.ts";
import type { Demo } from "../e2e/system.ts";
import { System } from "../e2e/system.ts";
import { connect, issuerOf, register } from "./connected.ts";
import { Person } from "./person.ts";

/** Nothing listens there. */
const CLIENT = "http://127.0.0.1:1";
const PHONE = { viewport: { width: 390, height: 844 } };
const MARKUP = `<img src=//evil.example/x onerror=alert(1)><script>alert(2)</script>"'><a href=javascript:alert(3)>`;

describe.skipIf(isWithoutChromium())("names chosen by strangers", () => {
  let system: System;
  let browser: Browser;
  let demo: Demo;
  let person: Person;
  beforeAll(async () => {
    browser = await launchChromium();
    system = await System.start();
    demo = await system.demo();
    person = await Person.arrive(browser, system, PHONE);
    await person.signIn(demo);
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await system[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    expect(person.alarms).toEqual([]);
    const own = [system.baseUrl, new URL(await issuerOf(system)).origin, CLIENT];
    expect([...person.origins].filter((origin) => !own.includes(origin))).toEqual([]);
  });

  /** By how many pixels the page is wider than a phone. */
  function overflow(): Promise<number> {
    return person.page.evaluate("document.documentElement.scrollWidth - innerWidth");
  }

  /** Opens the consent page for a client that has just registered with this name. */
  async function meet(name: string, redirectUri?: string): Promise<number> {
    const client = await register(system, name, redirectUri);
    const { address } = await client.ask();
    return (await person.page.goto(address.href))?.status() ?? 0;
  }

  it.each([
    ["markup", MARKUP, /<img src=\/\/evil\.example\/x onerror=/],
    ["a thousand letters", "W".repeat(1_000), /Connect W{59}… to your journal/],
    ["a thousand marks", `Z${"\u0301".repeat(1_000)}algo`, /^Connect .{1,5} to your journal\?$/u],
    ["letters that reverse the line", "\u202Eedualc\u2066\u200B", /Connect edualc to your journal/],
    ["line breaks", "Claude\n\nis verified\r\n", /Connect Claude is verified to your journal/],
    ["nothing", "\u200B\u2060 ", /Connect An app without a name to your journal/],
  ])("a client named %s is shown as harmless text", async (_what, name, heading) => {
    await meet(name);
    expect(await person.heading()).toMatch(heading);
    expect(await overflow()).toBe(0);
    expect(
      await person.page.locator("main img, main script, main a[href^=javascript]").count(),
    ).toBe(0);
  });

  it.each([
    ["a host below another", "https://claude.ai.evil.example/cb", "claude.ai.evil.example"],
    ["lookalike letters", "https://cl\u0430ude.ai/cb", "xn--clude-5ve.ai"],
    ["an app's own links", "com.claude-app.desktop://callback", "com.claude-app.desktop:"],
    ["a very long host", `https://${"claude-ai.".repeat(24)}example/cb`, "claude-ai.claude-ai."],
  ])(
    "a client that returns to %s is shown with the host, and a warning",
    async (_what, uri, host) => {
      await meet("Claude", uri);
      expect(await person.page.locator("dl.facts code.host").innerText()).toContain(host);
      expect(await person.page.locator(".warning").first().innerText()).toMatch(
        /another address|letters|an app on your device/,
      );
      expect(await overflow()).toBe(0);
    },
  );

  // Tests of the web service check that the consent page refuses them, too.
  it.each([
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "view-source:https://evil.example/cb",
  ])("a client that returns to %s cannot register", async (uri) => {
    await expect(register(system, "Claude", uri)).rejects.toThrow(/redirect_uri/);
  });

  // Supabase Auth accepts these, so the consent page has to refuse them.
  it.each([
    "https://claude.ai@evil.example/cb",
    "intent://evil.example/cb",
    "claude-app://callback",
  ])("a client that returns to %s cannot be allowed", async (uri) => {
    expect(await meet("Claude", uri)).toBe(400);
    expect(await person.page.getByRole("button", { name: "Read" }).count()).toBe(0);
  });

  it("names of clients and foods are shown as text on every page, even after approval", async () => {
    const client = await register(system, MARKUP, `${CLIENT}/cb`);
    await connect(person, client, "Read and log");
    const { page } = person;
    await using assistant = await connectAssistant(system.baseUrl, demo.api_key);
    const line = `${MARKUP} 95 kcal`;
    const logged = await assistant.call("log_food", { food_text: line });
    expect(logged.isError, logged.text).toBe(false);
    for (const path of ["/settings/connections", "/journal", "/settings/keys"]) {
      expect(await person.open(path), path).toBe(200);
      expect(await overflow(), path).toBe(0);
      expect(await page.locator("main img, a[href^=javascript]").count(), path).toBe(0);
    }
    await person.open(`/journal/${(logged.structured as { date: string }).date}`);
    expect(await page.locator("main").innerText()).toContain(line);
    expect(await overflow()).toBe(0);
  });
});
