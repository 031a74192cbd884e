import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { Browser } from "./browser.ts";
import { authorize, decide, registerClient } from "./assistants.ts";
import type { TestClient } from "./assistants.ts";
import { makeMember, signInMember } from "./members.ts";
import type { Member } from "./members.ts";
import { startWebFixture } from "./web-fixture.ts";
import type { WebFixture } from "./web-fixture.ts";

let web: WebFixture;
let member: Member;
let browser: Browser;
let client: TestClient;
let path: string;
beforeAll(async () => {
  web = await startWebFixture();
  member = await makeMember(web);
});
afterAll(() => web[Symbol.asyncDispose]());
beforeEach(async () => {
  web.proxy.reset();
  browser = await signInMember(web, member);
  client = await registerClient(web);
  path = await authorize(web, client);
});

function send(decision: "write" | "deny") {
  return decide(browser, path, { decision });
}

function cut(method: string, part: string, when: "before" | "after") {
  web.proxy.interrupt = (one, url) => (one === method && url.includes(part) ? when : undefined);
}

async function isGranted(): Promise<boolean> {
  return (await browser.get("/settings/connections")).text.includes(client.clientId);
}

describe("while the provider is unavailable", () => {
  test("during the inspection: shows an error page, and a reload continues", async () => {
    cut("GET", "/oauth/authorizations/", "before");
    expect((await browser.get(path)).status).toBe(503);
    web.proxy.reset();
    expect((await browser.get(path)).text).toContain("What may it do?");
  });

  test("after the inspection: a reload continues", async () => {
    cut("GET", "/oauth/authorizations/", "after");
    expect((await browser.get(path)).status).toBe(503);
    web.proxy.reset();
    expect((await browser.get(path)).text).toContain("What may it do?");
  });

  test("before the approval: nothing stays allowed, and trying again connects", async () => {
    await browser.get(path);
    cut("POST", "/consent", "before");
    expect((await send("write")).status).toBe(503);
    expect(await isGranted()).toBe(false);
    web.proxy.reset();
    expect((await send("write")).status).toBe(303);
    expect((await browser.get(path)).text).toContain("The assistant is connected.");
    expect(await isGranted()).toBe(true);
  });

  test("after the approval: nothing stays allowed, and connecting again asks again", async () => {
    await browser.get(path);
    cut("POST", "/consent", "after");
    expect((await send("write")).status).toBe(503);
    web.proxy.reset();
    const again = await send("write");
    expect(again.status).toBe(409);
    expect(again.text).toContain("already answered");
    expect(await isGranted()).toBe(false);
    expect((await browser.get(await authorize(web, client))).text).toContain("What may it do?");
  });

  test("while a connected client is allowed again: it stays connected", async () => {
    await browser.get(path);
    await send("write");
    // The provider has forgotten, so that it asks again.
    await fetchAsMember("DELETE", `/user/oauth/grants?client_id=${client.clientId}`);
    path = await authorize(web, client);
    await browser.get(path);
    cut("POST", "/consent", "before");
    expect((await send("write")).status).toBe(503);
    expect(await isGranted()).toBe(true);
  });

  test("while the person denies: shows an error page, allows nothing, and denying again works", async () => {
    await browser.get(path);
    cut("POST", "/consent", "before");
    expect((await send("deny")).status).toBe(503);
    web.proxy.reset();
    expect((await send("deny")).status).toBe(303);
    expect(await isGranted()).toBe(false);
  });
});

describe("a response of the provider", () => {
  test.each([
    ["to another host", "https://evil.example/api/mcp/auth_callback?code=1"],
    ["to another path", "https://claude.ai/elsewhere?code=1"],
    ["to a script", "javascript:alert(1)"],
    ["to a program of the operating system", "ms-msdt:/id%20PCWDiagnostic"],
    ["to nowhere", "no address"],
  ])("that redirects %s is not followed, and nothing stays allowed", async (_where, address) => {
    await browser.get(path);
    web.proxy.replace = (method, url) =>
      method === "POST" && url.endsWith("/consent") ? { redirect_url: address } : undefined;
    const answer = await send("write");
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain("evil.example");
    expect(await isGranted()).toBe(false);
    expect((await browser.get(path)).text).toContain("What may it do?");
  });

  test.each([
    ["a script", "javascript:alert(document.cookie)"],
    ["a program of the operating system", "search-ms:query=x"],
    ["a page of data", "data:text/html,hello"],
    ["plain http", "http://example.com/callback"],
    ["an address with a name before the host", "https://claude.ai@evil.example/callback"],
  ])("that would return to %s is refused", async (_what, redirectUri) => {
    web.proxy.replace = (method, url) =>
      method === "GET" && url.includes("/oauth/authorizations/")
        ? { redirect_uri: redirectUri, client: { id: client.clientId, name: "x" } }
        : undefined;
    const page = await browser.get(path);
    expect(page.status).toBe(400);
    expect(page.text).toContain("unsafe address");
  });

  test.each([[{}], [[]], ["text"], [{ redirect_uri: 1 }]])(
    "of an unknown form is an error of the provider: %j",
    async (answer) => {
      web.proxy.replace = (method, url) =>
        method === "GET" && url.includes("/oauth/authorizations/") ? answer : undefined;
      expect((await browser.get(path)).status).toBe(503);
    },
  );
});

test("a session that has ended at the provider leads to sign-in, and continues from there", async () => {
  await browser.get(path);
  await fetchAsMember("POST", "/logout?scope=global");
  const answer = await send("write");
  expect(answer.location).toBe("/sign-in?return_to=%2Foauth%2Fconsent");
  expect(await isGranted()).toBe(false);
  const signedIn = await browser.post("/sign-in", { ...member, return_to: "/oauth/consent" });
  expect((await browser.follow(signedIn)).text).toContain("What may it do?");
  expect((await send("write")).status).toBe(303);
});

/** Calls the provider as the member, from outside the pages. */
async function fetchAsMember(method: string, call: string): Promise<void> {
  const { issuer } = web.provider;
  const signedIn = await fetch(`${issuer}/token?grant_type=password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(member),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(issuer + call, { method, headers })).status).toBe(204);
}
