import type { BrowserContext, BrowserContextOptions, Browser as Engine } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { connect, registerClient } from "./assistants.ts";
import { isWithoutChromium, launchChromium } from "./chromium.ts";
import { mailTo, makeMember, recoveryMailArrives, signInMember } from "./members.ts";
import type { Member } from "./members.ts";
import type { WebFixture } from "./web-fixture.ts";
import { CALL, startWebFixture } from "./web-fixture.ts";

const LOOKS: readonly BrowserContextOptions[] = [
  { colorScheme: "light", viewport: { width: 1_280, height: 800 } },
  { colorScheme: "dark", viewport: { width: 390, height: 844 } },
];

describe.skipIf(isWithoutChromium())("who has access, in a browser without scripts", () => {
  let web: WebFixture;
  let engine: Engine;

  beforeAll(async () => {
    web = await startWebFixture();
    engine = await launchChromium();
  });
  afterAll(async () => {
    await engine?.close();
    await web[Symbol.asyncDispose]();
  });

  async function openPage(context: BrowserContext) {
    context.setDefaultTimeout(8_000);
    return context.newPage();
  }

  /** A person with two keys and an assistant. */
  async function busyMember(): Promise<Member> {
    const member = await makeMember(web);
    const selector = { case: "email" as const, value: member.email };
    const { auth } = web.as("admin");
    const { account } = await auth.getAccount({ selector }, CALL);
    for (const name of ["Backup script", "Phone"]) {
      await auth.createKey({ accountId: account!.id, name, scopes: ["service.read"] }, CALL);
    }
    await connect(web, await signInMember(web, member), await registerClient(web));
    return member;
  }

  test.each(LOOKS)(
    "a password reset leads to the page that ends other access: %o",
    { timeout: 60_000 },
    async (look) => {
      const { email } = await busyMember();
      const context = await engine.newContext({ ...look, javaScriptEnabled: false });
      const page = await openPage(context);
      await page.goto(`${web.baseUrl}/recover`);
      await page.fill("#email", email);
      await page.getByRole("button", { name: "Send me a link" }).click();
      await recoveryMailArrives(web, email);
      await page.goto(mailTo(web, email).link);
      await page.fill("#password", "a new long password");
      await page.getByRole("button", { name: "Save the password" }).click();
      await page.getByText("signed out everywhere else").waitFor();
      await page.getByLabel("Phone").check();
      await page.getByLabel("Claude").check();
      await page.getByRole("button", { name: "End the chosen ones" }).click();
      await page.getByText("What used it stops working within seconds").waitFor();
      expect(await page.getByRole("checkbox").count()).toBe(1);
      await page.getByRole("link", { name: "Keep all" }).click();
      await page.waitForURL(`${web.baseUrl}/journal`);
      await context.close();
    },
  );

  test("a download starts automatically after another sign-in", { timeout: 60_000 }, async () => {
    const member = await makeMember(web);
    const context = await engine.newContext({ javaScriptEnabled: false });
    const page = await openPage(context);
    const signIn = async () => {
      await page.fill("#password", member.password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
    };
    await page.goto(`${web.baseUrl}/sign-in?return_to=/settings/export`);
    await page.fill("#email", member.email);
    await signIn();
    await page.getByRole("heading", { name: "Take your data with you" }).waitFor();
    await web.ageSignIns("11 minutes");
    await page.getByRole("link", { name: "Everything (JSON)" }).click();
    await page.getByText("sign in again to continue").waitFor();
    const download = page.waitForEvent("download");
    await signIn();
    expect((await download).suggestedFilename()).toMatch(/^nutrition-journal-.*\.json$/);
    await page.getByText("Your download is starting").waitFor();
    await context.close();
  });
});
