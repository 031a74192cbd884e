import type { Browser as Engine } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { isWithoutChromium, launchChromium } from "./chromium.ts";
import { mailTo } from "./members.ts";
import { pageFaults } from "./page-faults.ts";
import type { WebFixture } from "./web-fixture.ts";
import { startWebFixture } from "./web-fixture.ts";

const LOOKS = [
  { colorScheme: "light", viewport: { width: 1_280, height: 800 } },
  { colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

describe.skipIf(isWithoutChromium())("in a browser without scripts", () => {
  let web: WebFixture;
  let engine: Engine;
  beforeAll(async () => {
    web = await startWebFixture({ mailLinksTo: "site" });
    engine = await launchChromium();
  });
  afterAll(async () => {
    await engine?.close();
    await web[Symbol.asyncDispose]();
  });

  test.each(LOOKS)(
    "a person signs up, follows the link and chooses a password ($colorScheme)",
    { timeout: 60_000 },
    async (look) => {
      const email = `ada.${look.colorScheme}@example.com`;
      const context = await engine.newContext({ ...look, javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${web.baseUrl}/sign-up`);
      await page.fill("#email", email);
      await page.getByRole("button", { name: "Send me the link" }).click();
      await page.waitForURL(/done=sent/);
      await page.goto(mailTo(web, email).link);
      await page.getByRole("button", { name: "Confirm my address" }).click();
      await page.getByText(`${email} is confirmed`).waitFor();
      await page.fill("#password", "short");
      await page.getByRole("button", { name: "Save the password" }).click();
      expect(await page.getAttribute("#password", "aria-describedby")).toBe("password-error");
      await page.fill("#password", "a long new password");
      await page.getByRole("button", { name: "Save the password" }).click();
      await page.waitForURL(`${web.baseUrl}/journal`);
      await context.close();
    },
  );

  test.each(LOOKS)(
    "the pages after the link can be read by everybody ($colorScheme)",
    { timeout: 60_000 },
    async (look) => {
      const email = `eve.${look.colorScheme}@example.com`;
      const page = await (await engine.newContext(look)).newPage();
      await page.goto(`${web.baseUrl}/sign-up`);
      await page.fill("#email", email);
      await page.press("#email", "Enter");
      await page.waitForURL(/done=sent/);
      const { link } = mailTo(web, email);
      await page.goto(link);
      await page.getByRole("button", { name: "Confirm my address" }).click();
      await page.getByText(`${email} is confirmed`).waitFor();
      expect(await page.evaluate("document.activeElement.id")).toBe("password");
      expect(await pageFaults(page)).toEqual([]);
      await page.goto(link);
      await page.getByRole("button", { name: "Confirm my address" }).click();
      await page.getByText("does not work any more").waitFor();
      expect(await pageFaults(page)).toEqual([]);
      await page.context().close();
    },
  );
});
