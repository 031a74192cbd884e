import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { authorize, canRenew, decide, exchange, registerClient, returnOf } from "./assistants.ts";
import type { TestClient } from "./assistants.ts";
import { Browser } from "./browser.ts";
import { makeMember, signInMember } from "./members.ts";
import type { Member } from "./members.ts";
import { startWebFixture } from "./web-fixture.ts";
import type { WebFixture } from "./web-fixture.ts";

let web: WebFixture;
let elsewhere: string;
let member: Member;
let client: TestClient;
let path: string;
/** The same browser, before its decision, at two instances behind a load balancer. */
let browsers: [Browser, Browser];
beforeAll(async () => {
  web = await startWebFixture();
  ({ baseUrl: elsewhere } = await web.startAnother());
});
afterAll(() => web[Symbol.asyncDispose]());
beforeEach(async () => {
  web.proxy.reset();
  member = await makeMember(web);
  client = await registerClient(web);
  path = await authorize(web, client);
  const browser = await signInMember(web, member);
  await browser.get(path);
  const other = new Browser(elsewhere);
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  browsers = [browser, other];
});

async function scopes() {
  const call = { timeoutMs: 5_000 };
  const { auth } = web.as("admin");
  const selector = { case: "email", value: member.email } as const;
  const { account } = await auth.getAccount({ selector }, call);
  const { grants } = await auth.listGrants({ accountId: account!.id }, call);
  return grants.map((grant) => grant.scopes);
}

/** Whether the assistant gets tokens from the decision in this browser, and can renew them. */
async function isConnected(browser: Browser): Promise<boolean> {
  const code = returnOf(await browser.get(path))?.searchParams.get("code") ?? "";
  const tokens = await exchange(web, client, code);
  return typeof tokens !== "number" && canRenew(web, client, tokens.refreshToken);
}

test("a decision sent to two instances at once connects the assistant once", async () => {
  const answers = await Promise.all(browsers.map((one) => decide(one, path, { decision: "read" })));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  expect(answers.find(({ status }) => status === 409)?.text).toContain("already answered");
  const decided = browsers[answers.findIndex(({ status }) => status === 303)]!;
  expect(await isConnected(decided)).toBe(true);
  expect(await scopes()).toEqual([["service.read"]]);
});

test("a second decision at another instance changes nothing, whatever it says", async () => {
  const [first, second] = browsers;
  expect((await decide(first, path, { decision: "read" })).status).toBe(303);
  for (const decision of ["write", "read", "deny"]) {
    expect((await decide(second, path, { decision })).status).toBe(409);
  }
  expect(await isConnected(first)).toBe(true);
  expect(await scopes()).toEqual([["service.read"]]);
});

test("a decision that failed can be repeated at another instance", async () => {
  const [first, second] = browsers;
  web.proxy.interrupt = (method, url) =>
    method === "POST" && url.includes("/consent") ? "before" : undefined;
  expect((await decide(first, path, { decision: "read" })).status).toBe(503);
  expect(await scopes()).toEqual([]);
  web.proxy.reset();
  expect((await decide(second, path, { decision: "read" })).status).toBe(303);
  expect(await isConnected(second)).toBe(true);
});
