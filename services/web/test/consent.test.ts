import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { Answer, Browser } from "./browser.ts";
import {
  authorizationId,
  authorize,
  decide,
  exchange,
  registerClient,
  returnOf,
} from "./assistants.ts";
import type { TestClient } from "./assistants.ts";
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

/** Sends the consent page's form. */
function send(path: string, decision: string): Promise<Answer> {
  return decide(browser, path, { decision });
}

async function grants() {
  const { account } = await web
    .as("admin")
    .auth.getAccount({ selector: { case: "email", value: member.email } }, { timeoutMs: 5_000 });
  const call = { timeoutMs: 5_000 };
  return (await web.as("admin").auth.listGrants({ accountId: account!.id }, call)).grants;
}

describe("the page", () => {
  test("says who asks, where the answer goes and who is signed in", async () => {
    const page = await browser.get(await authorize(web, client));
    expect(page.status).toBe(200);
    expect(page.text).toContain("<bdi>Claude</bdi>");
    expect(page.text).toContain("not verified");
    expect(page.text).toContain('<code class="host">claude.ai</code>');
    expect(page.text).toContain(member.email);
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  test("can be reloaded, and left and returned to", async () => {
    const path = await authorize(web, client);
    const pages = [await browser.get(path), await browser.get(path), await browser.get(path)];
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("waits while the person signs in, with the id in no address", async () => {
    const stranger = web.visitor();
    const path = await authorize(web, client);
    const asked = await stranger.get(path);
    expect(asked).toMatchObject({ status: 303, location: "/sign-in?return_to=%2Foauth%2Fconsent" });
    expect((await stranger.get(asked.location)).text).not.toContain(authorizationId(path));
    const answer = await stranger.post("/sign-in", { ...member, return_to: "/oauth/consent" });
    const page = await stranger.follow(answer);
    expect(page.text).toContain("<bdi>Claude</bdi>");
  });

  test("is not available to another person once somebody has opened it", async () => {
    const path = await authorize(web, client);
    await browser.get(path);
    const other = await signInMember(web, await makeMember(web));
    const page = await other.get(path);
    expect(page.status).toBe(404);
    expect(page.text).toContain("has expired");
    const form = {
      authorization_id: authorizationId(path),
      decision: "write",
    };
    expect((await other.post("/oauth/consent", form)).status).toBe(404);
  });

  test("shows the next person in the same browser nothing of the last one's request", async () => {
    const path = await authorize(web, client);
    await browser.get(path);
    await browser.post("/sign-in", { ...(await makeMember(web)) });
    expect((await browser.get(path)).status).toBe(404);
    expect((await send(path, "read")).status).toBe(404);
  });

  test.each([
    ["unknown", "/oauth/consent?authorization_id=abcdefghijklmnopqrstuvwxyz012345", 404],
    ["malformed", "/oauth/consent?authorization_id=../../user", 400],
    ["given twice", "/oauth/consent?authorization_id=abcdefgh1&authorization_id=abcdefgh2", 400],
    ["absent", "/oauth/consent", 400],
  ])("explains what to do if the id is %s", async (_what, path, status) => {
    const page = await browser.get(path);
    expect(page.status).toBe(status);
    expect(page.text).toContain("connect it again");
  });

  test("is not used up by a browser's prefetch", async () => {
    const path = await authorize(web, client);
    const other = await signInMember(web, await makeMember(web));
    expect((await other.get(path, { "sec-purpose": "prefetch;prerender" })).status).toBe(503);
    expect((await browser.get(path)).status).toBe(200);
  });

  test("explains to an account without premium what it cannot do yet", async () => {
    browser = await signInMember(web, await makeMember(web, { hasPremium: false }));
    const page = await browser.get(await authorize(web, client));
    expect(page.text).toContain("does not include assistants yet");
  });

  test("in two tabs handles two requests separately", async () => {
    const second = await registerClient(web, { name: "Second" });
    const [one, two] = [await authorize(web, client), await authorize(web, second)];
    await browser.get(one);
    await browser.get(two);
    expect((await browser.get(one)).text).toContain("<bdi>Claude</bdi>");
    const answer = await send(two, "read");
    expect(answer.status).toBe(303);
    expect((await grants()).map(({ clientId }) => clientId)).toEqual([second.clientId]);
  });
});

describe("allowing", () => {
  test.each([
    ["read", ["service.read"]],
    ["write", ["service.read", "nutrition.write"]],
  ])("(%s) creates the grant and redirects with a code", async (permission, scopes) => {
    const path = await authorize(web, client);
    await browser.get(path);
    const answer = await send(path, permission);
    expect(answer).toMatchObject({ status: 303, location: path });
    const back = returnOf(await browser.get(path))!;
    expect(back.origin + back.pathname).toBe(client.redirectUri);
    expect(back.searchParams.get("state")).toBe("the-state");
    expect(await exchange(web, client, back.searchParams.get("code")!)).toHaveProperty(
      "accessToken",
    );
    expect(await grants()).toMatchObject([
      { clientId: client.clientId, clientName: "Claude", redirectHost: "claude.ai", scopes },
    ]);
  });

  test("twice has one effect", async () => {
    const path = await authorize(web, client);
    await browser.get(path);
    const [first, second] = [await send(path, "read"), await send(path, "write")];
    expect(second.location).toBe(first.location);
    expect(await grants()).toMatchObject([{ scopes: ["service.read"] }]);
  });

  test("with a double submit has one effect", async () => {
    const path = await authorize(web, client);
    await browser.get(path);
    const answers = await Promise.all([send(path, "read"), send(path, "read")]);
    expect(answers.map(({ location }) => location)).toEqual([path, path]);
    expect(await grants()).toMatchObject([{ scopes: ["service.read"] }]);
  });

  test.each(["read", "write", "deny"])(
    "has no further effect if %s is sent with the cookie from before",
    async (late) => {
      const path = await authorize(web, client);
      await browser.get(path);
      const before = new Map(browser.cookies);
      await send(path, "read");
      for (const [name, value] of before) browser.cookies.set(name, value);
      expect((await send(path, late)).location).toBe(path);
      expect(returnOf(await browser.get(path))?.searchParams.has("code")).toBe(true);
      expect(await grants()).toMatchObject([{ scopes: ["service.read"] }]);
    },
  );

  test("requires a choice", async () => {
    const path = await authorize(web, client);
    await browser.get(path);
    for (const permission of ["", "allow", "everything"]) {
      const answer = await send(path, permission);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('role="alert"');
    }
    expect(await grants()).toEqual([]);
  });

  test("requires our own form", async () => {
    const path = await authorize(web, client);
    await browser.get(path);
    const form = {
      authorization_id: authorizationId(path),
      decision: "write",
      csrf: "",
    };
    expect((await browser.post("/oauth/consent", form)).status).toBe(403);
    expect(await grants()).toEqual([]);
  });

  test("requires a signed-in person", async () => {
    const path = await authorize(web, client);
    const form = {
      authorization_id: authorizationId(path),
      decision: "write",
    };
    const answer = await web.visitor().post("/oauth/consent", form);
    expect(answer.location).toBe("/sign-in?return_to=%2Foauth%2Fconsent");
  });
});

test("denying redirects with an error and leaves no grant", async () => {
  const path = await authorize(web, client);
  await browser.get(path);
  await send(path, "deny");
  const back = returnOf(await browser.get(path))!;
  expect(back.searchParams.get("error")).toBe("access_denied");
  expect(back.searchParams.get("state")).toBe("the-state");
  expect(back.searchParams.has("code")).toBe(false);
  expect(await grants()).toEqual([]);
});

test("choosing another account signs out and allows nothing", async () => {
  const path = await authorize(web, client);
  await browser.get(path);
  const page = await send(path, "switch");
  expect(page.text).toContain("You are signed out");
  expect((await browser.get(path)).location).toMatch(/^\/sign-in/);
  expect(await grants()).toEqual([]);
});
