import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

import { newId } from "@nutrition/core/ids";
import { Origin } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { Browser as Engine, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { isWithoutChromium, launchChromium } from "./chromium.ts";
import { authorize, registerClient } from "./assistants.ts";
import { makeMember } from "./members.ts";
import type { Member } from "./members.ts";
import { pageFaults } from "./page-faults.ts";
import { CALL, asKeyOf, startWebFixture } from "./web-fixture.ts";
import type { WebFixture } from "./web-fixture.ts";

/** A client that listens on this device and, after its callback, redirects to another origin. */
async function startClient() {
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/callback?code=")) {
      response.writeHead(302, { location: `http://localhost:${portOf(server)}/done` });
    }
    response.end("done");
  });
  server.listen(0);
  await once(server, "listening");
  return {
    name: "Local client",
    redirectUri: `http://127.0.0.1:${portOf(server)}/callback`,
    otherOrigin: `http://localhost:${portOf(server)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

const HOSTILE_NAME = `Сlaude <img src=x onerror=alert(1)> \u202Eedualc ${"x".repeat(900)}`;
const LOOKS = [
  { colorScheme: "light", viewport: { width: 1_280, height: 800 } },
  { colorScheme: "dark", viewport: { width: 320, height: 740 } },
] as const;

/** Public pages. */
const OPEN_PAGES = [
  "/",
  "/report-key",
  "/sign-up/resend",
  "/oauth/callback?type=recovery&token_hash=any-token&state=",
  "/sign-in",
  "/sign-in?return_to=/oauth/consent&done=declined",
  "/sign-up",
  "/sign-up?done=sent",
  "/recover",
  "/recover?done=sent",
  "/oauth/callback?state=unknown",
  "/no-such-page",
];
/** Pages of a person with a key, an assistant and a day's food. */
const OWN_PAGES = [
  "/settings/connections?done=changed",
  "/settings/keys",
  "/settings/profile",
  "/settings/access?done=password-changed",
  "/settings/export",
  "/settings/erase",
  "/settings/profile/weights/import",
  "/sign-in?done=again&return_to=/settings/keys",
  "/journal",
  "/journal/2020-02-29",
];

describe.skipIf(isWithoutChromium())("in a browser", () => {
  let web: WebFixture;
  let engine: Engine;
  let member: Member;

  beforeAll(async () => {
    web = await startWebFixture();
    member = await makeMember(web);
    engine = await launchChromium();
    await fillAccount();
  });
  afterAll(async () => {
    await engine?.close();
    await web[Symbol.asyncDispose]();
  });

  async function fillAccount(): Promise<void> {
    const selector = { case: "email" as const, value: member.email };
    const { account } = await web.as("admin").auth.getAccount({ selector }, CALL);
    const accountId = account!.id;
    const key = { accountId, name: HOSTILE_NAME.slice(0, 99), scopes: ["service.read"] };
    await web.as("admin").auth.createKey(key, CALL);
    const person = { accountId, email: member.email, name: "" };
    const foodText = `two <b>apples</b> \u202Eselppa\n${"long ".repeat(90)}`;
    const write = { foodText, requestId: newId(), origin: Origin.TOOL };
    await web.as("gateway").journal.logFood(write, asKeyOf(person));
  }

  async function signIn(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${web.baseUrl}/sign-in?return_to=/settings/connections`);
    await page.fill("#email", member.email);
    await page.fill("#password", member.password);
    await page.press("#password", "Enter");
    await page.waitForURL(`${web.baseUrl}/settings/connections`);
    return page;
  }

  /** Problems of the page at the address that a browser can detect. */
  async function faultsOf(page: Page, path: string): Promise<string[]> {
    const faults: string[] = [];
    const own = new URL(web.baseUrl).origin;
    page.on("request", (request) => {
      if (!request.url().startsWith(`${own}/`)) faults.push(`asks for ${request.url()}`);
    });
    page.on("console", (message) => {
      // The page itself may be an error page.
      const isOwnStatus = message.location().url === page.url();
      if (message.type() === "error" && !isOwnStatus) faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(web.baseUrl + path);
    // Requests of scripts finish later.
    if ((await page.locator("script").count()) > 0) await page.waitForLoadState("networkidle");
    faults.push(...(await pageFaults(page)));
    page.removeAllListeners();
    return faults;
  }

  describe.each(LOOKS)("$colorScheme, $viewport.width pixels wide", (look) => {
    test("public pages have no detectable problem", { timeout: 60_000 }, async () => {
      const context = await engine.newContext(look);
      const page = await context.newPage();
      for (const path of OPEN_PAGES) expect([path, await faultsOf(page, path)]).toEqual([path, []]);
      await context.close();
    });

    test("a person's own pages have no detectable problem", { timeout: 60_000 }, async () => {
      const context = await engine.newContext(look);
      const page = await signIn(context);
      for (const path of OWN_PAGES) expect([path, await faultsOf(page, path)]).toEqual([path, []]);
      await context.close();
    });

    test("a new person's first page has no detectable problem", { timeout: 60_000 }, async () => {
      const context = await engine.newContext(look);
      const { cookies } = await web.signIn(await web.makePerson());
      await context.addCookies(
        [...cookies].map(([name, value]) => ({ name, value, url: web.baseUrl })),
      );
      const page = await context.newPage();
      expect(await faultsOf(page, "/journal")).toEqual([]);
      expect(await page.getByText("Three steps to your first day").isVisible()).toBe(true);
      await context.close();
    });

    test(
      "the consent page has no detectable problem, whatever the client",
      { timeout: 60_000 },
      async () => {
        const context = await engine.newContext(look);
        const page = await signIn(context);
        for (const client of [
          {},
          { name: HOSTILE_NAME, redirectUri: "http://localhost:3334/callback" },
          { name: "Claude", redirectUri: `https://claude.ai.${"long.".repeat(40)}example/cb` },
          { name: "Cursor", redirectUri: "cursor://anysphere.cursor-retrieval/oauth/callback" },
        ]) {
          const path = await authorize(web, await registerClient(web, client));
          expect([client, await faultsOf(page, path)]).toEqual([client, []]);
        }
        await context.close();
      },
    );
  });

  test(
    "allowing leads to the client, which may redirect further",
    { timeout: 30_000 },
    async () => {
      await using client = await startClient();
      const context = await engine.newContext();
      const page = await signIn(context);
      await page.goto(web.baseUrl + (await authorize(web, await registerClient(web, client))));
      await page.getByRole("button", { name: "Read and log" }).click();
      await page.waitForURL(`${client.otherOrigin}/done`);
      await page.goto(`${web.baseUrl}/settings/connections`);
      await page.getByRole("link", { name: "Disconnect" }).first().click();
      await page.waitForURL(/revoke/);
      expect(await pageFaults(page)).toEqual([]);
      await context.close();
    },
  );

  test("everything but copying and charts works without scripts", { timeout: 30_000 }, async () => {
    await using client = await startClient();
    const context = await engine.newContext({ javaScriptEnabled: false });
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    await page.goto(web.baseUrl + (await authorize(web, await registerClient(web, client))));
    await page.fill("#email", member.email);
    await page.fill("#password", member.password);
    await page.press("#password", "Enter");
    await page.waitForURL(/authorization_id/);
    await page.getByRole("button", { name: "Read only" }).click();
    await page.waitForURL(`${client.otherOrigin}/done`);
    await page.goto(`${web.baseUrl}/settings/connections`);
    await page.locator("select").first().selectOption("write");
    await page.getByRole("button", { name: "Change" }).first().click();
    await page.waitForURL(/done=changed/);
    expect(await page.locator("select").first().inputValue()).toBe("write");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/done=signed-out/);
    await context.close();
  });

  test("forms are ready to type into: the first field that needs it has the focus", async () => {
    const context = await engine.newContext();
    const page = await context.newPage();
    const focused = () => page.evaluate("document.activeElement.id");
    for (const path of ["/sign-in", "/sign-up", "/recover", "/sign-up/resend"]) {
      await page.goto(web.baseUrl + path);
      // Browsers set the focus after the page has loaded, at their next frame.
      await expect.poll(async () => [path, await focused()]).toEqual([path, "email"]);
    }
    await page.goto(`${web.baseUrl}/sign-in`);
    await page.fill("#email", member.email);
    await page.fill("#password", "wrong password");
    await page.press("#password", "Enter");
    await page.waitForSelector("[role=alert]");
    await expect.poll(focused).toBe("password");
    await context.close();
  });

  test(
    "a field with an error is announced and associated with its message",
    { timeout: 30_000 },
    async () => {
      const context = await engine.newContext();
      const page = await context.newPage();
      await page.goto(`${web.baseUrl}/sign-in`);
      await page.fill("#email", member.email);
      await page.fill("#password", "wrong password");
      await page.press("#password", "Enter");
      await page.waitForSelector("[role=alert]");
      expect(await page.getAttribute("#password", "aria-describedby")).toBe("password-error");
      expect(await pageFaults(page)).toEqual([]);
      await page.click("[role=alert] a");
      expect(await page.evaluate("document.activeElement.id")).toBe("password");
      await context.close();
    },
  );
});
