import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { authorize, canRenew, connect, decide, registerClient, returnOf } from "./assistants.ts";
import type { TestClient } from "./assistants.ts";
import type { Browser } from "./browser.ts";
import { makeMember, signInMember } from "./members.ts";
import type { Member } from "./members.ts";
import { startWebFixture } from "./web-fixture.ts";
import type { WebFixture } from "./web-fixture.ts";

let web: WebFixture;
let member: Member;
let browser: Browser;
let client: TestClient;
beforeAll(async () => void (web = await startWebFixture()));
afterAll(() => web[Symbol.asyncDispose]());
beforeEach(async () => {
  web.provider.faults.reset();
  member = await makeMember(web);
  browser = await signInMember(web, member);
  client = await registerClient(web);
});

describe("a client that the provider approves without asking", () => {
  test("continues when it is connected here, and again on a reload", async () => {
    await connect(web, browser, client);
    const path = await authorize(web, client);
    const page = await browser.get(path);
    const back = returnOf(page)!;
    expect(back.searchParams.get("code")).toMatch(/^[0-9a-f-]{36}$/);
    expect(returnOf(await browser.get(path))?.href).toBe(back.href);
  });

  test("continues only after a click when it is an app on a device, which could be any app there", async () => {
    client = await registerClient(web, { redirectUri: "http://127.0.0.1:33418/callback" });
    await connect(web, browser, client);
    const page = await browser.get(await authorize(web, client));
    expect(page.text).toContain("Connect an app on this device again?");
    expect(returnOf(page)).toBeUndefined();
    expect(page.text).toMatch(/href="http:\/\/127\.0\.0\.1:33418\/callback\?code=/);
  });

  test("continues for a person who signs in only now", async () => {
    await connect(web, browser, client);
    const stranger = web.visitor();
    await stranger.get(await authorize(web, client));
    const answer = await stranger.post("/sign-in", { ...member, return_to: "/oauth/consent" });
    const page = await stranger.follow(answer);
    expect(returnOf(page)?.searchParams.get("code")).toBeTruthy();
  });

  test("has to ask again when it is not connected here, and its approval is deleted", async () => {
    const { refreshToken } = await connect(web, browser, client);
    const { database } = web.backends.databases.auth;
    await database.query(sql`
      update grants set revoked_at = clock_timestamp() where client_id = ${client.clientId}
    `);
    const path = await authorize(web, client);
    const page = await browser.get(path);
    expect(page.text).toContain("Start connecting again");
    expect(returnOf(page)).toBeUndefined();
    expect(page.text).not.toContain("code=");
    const link = /href="(https:\/\/claude\.ai[^"]*)"/.exec(page.text)![1]!.replaceAll("&amp;", "&");
    expect(Object.fromEntries(new URL(link).searchParams)).toMatchObject({
      error: "temporarily_unavailable",
      state: "the-state",
    });
    expect(await canRenew(web, client, refreshToken)).toBe(false);
    expect((await browser.get(await authorize(web, client))).text).toContain("What may it do?");
  });

  test("leaves no token of an earlier connection alive when it is connected with more scopes", async () => {
    const { refreshToken } = await connect(web, browser, client);
    const { database } = web.backends.databases.auth;
    await database.query(sql`
      update grants set revoked_at = clock_timestamp() where client_id = ${client.clientId}
    `);
    const path = await authorize(web, client, "openid email profile");
    expect((await browser.get(path)).text).toContain("What may it do?");
    await decide(browser, path, { decision: "read" });
    expect(returnOf(await browser.get(path))?.searchParams.get("code")).toBeTruthy();
    expect(await canRenew(web, client, refreshToken)).toBe(false);
  });

  test("is not redirected to a host that the person has never seen", async () => {
    const otherUri = "https://evil.example/callback";
    client = await registerClient(web, { otherUris: [otherUri] });
    await connect(web, browser, client);
    const page = await browser.get(await authorize(web, { ...client, redirectUri: otherUri }));
    expect(page.text).toContain("This assistant has moved");
    expect(page.text).toContain('<code class="host">evil.example</code>');
    expect(returnOf(page)).toBeUndefined();
    expect(page.text).not.toContain("code=");
    const usual = await browser.get(await authorize(web, client));
    expect(returnOf(usual)?.searchParams.get("code")).toBeTruthy();
  });

  test("continues to a host that both of two assistants were allowed at", async () => {
    await connect(web, browser, client);
    await connect(web, browser, await registerClient(web));
    const page = await browser.get(await authorize(web, client));
    expect(returnOf(page)?.searchParams.get("code")).toBeTruthy();
  });

  test("sends nothing without a click to a host at which only another one was allowed", async () => {
    // The attack: allowed at one host, it asks at the host of another assistant that was allowed.
    const otherUri = "https://evil.example/callback";
    client = await registerClient(web, { otherUris: [otherUri] });
    await connect(web, browser, client);
    await connect(web, browser, await registerClient(web, { redirectUri: otherUri }));
    const path = await authorize(web, { ...client, redirectUri: otherUri });
    for (const page of [await browser.get(path), await browser.get(path)]) {
      expect(page.status).toBe(200);
      expect(returnOf(page)).toBeUndefined();
      expect(page.text).toContain("You have allowed several assistants");
      expect(page.text).toContain('<code class="host">evil.example</code>');
    }
  });

  test("continues after a click when several were allowed at different hosts", async () => {
    await connect(web, browser, client);
    const otherUri = "https://chatgpt.com/connector_platform_oauth_redirect";
    await connect(web, browser, await registerClient(web, { redirectUri: otherUri }));
    const page = await browser.get(await authorize(web, client));
    expect(returnOf(page)).toBeUndefined();
    expect(page.text).toMatch(/href="https:\/\/claude\.ai\/api\/mcp\/auth_callback\?code=/);
  });

  test("stays on the page when the provider fails meanwhile", async () => {
    await connect(web, browser, client);
    web.provider.faults.isGrantsApiFailing = true;
    const page = await browser.get(await authorize(web, client));
    expect(page.status).toBe(503);
    expect(page.text).not.toContain("code=");
  });
});
