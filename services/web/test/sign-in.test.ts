import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { isSignedIn, makeMember, signInMember } from "./members.ts";
import type { Member } from "./members.ts";
import { startWebFixture } from "./web-fixture.ts";
import type { WebFixture } from "./web-fixture.ts";

let web: WebFixture;
let member: Member;
beforeAll(async () => {
  web = await startWebFixture();
  member = await makeMember(web);
});
afterAll(() => web[Symbol.asyncDispose]());
beforeEach(() => web.provider.faults.reset());

describe("a personal page", () => {
  test("asks a stranger to sign in and returns to the page afterwards", async () => {
    const browser = web.visitor();
    const asked = await browser.get("/settings/connections?done=changed");
    expect(asked).toMatchObject({
      status: 303,
      location: "/sign-in?return_to=%2Fsettings%2Fconnections%3Fdone%3Dchanged",
    });
    const page = await browser.get(asked.location);
    expect(page.text).toContain('value="/settings/connections?done=changed"');
    const returnTo = "/settings/connections?done=changed";
    const answer = await browser.post("/sign-in", { ...member, return_to: returnTo });
    expect(answer).toMatchObject({ status: 303, location: returnTo });
  });

  test("does not repeat an address that a sign-in would not return to anyway", async () => {
    const asked = await web.visitor().get(`/settings/connections?done=${"x".repeat(8_000)}`);
    expect(asked).toMatchObject({ status: 303, location: "/sign-in" });
  });

  test("is not available to a session that somebody else encrypted", async () => {
    const browser = await web.signIn(await web.makePerson());
    const [name, sealed] = [...browser.cookies].find(([one]) => one.includes("session"))!;
    const other = web.visitor();
    other.cookies.set(name, `${sealed.slice(0, -4)}AAAA`);
    expect(await isSignedIn(other)).toBe(false);
  });

  test("ignores a value that was encrypted for another purpose", async () => {
    const browser = web.visitor();
    await browser.get("/sign-in/with/google");
    const sealed = browser.cookies.get("nutrition-third_party.0")!;
    browser.cookies.set("nutrition-session.0", sealed);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe("an e-mail address and a password", () => {
  test("sign in", async () => {
    const browser = await signInMember(web, member);
    const page = await browser.get("/settings/connections");
    expect(page.status).toBe(200);
    expect(page.text).toContain(member.email);
  });

  test("are refused when the password is wrong, in the same words as for an unknown address", async () => {
    const answers = await Promise.all(
      [member.email, "nobody@example.com"].map((email) =>
        web.visitor().post("/sign-in", { email, password: "wrong" }),
      ),
    );
    for (const { status, text } of answers) {
      expect(status).toBe(400);
      expect(text).toContain('role="alert"');
      expect(text).toContain("The e-mail address or the password is incorrect.");
      expect(text).not.toContain("wrong");
    }
  });

  test("are both required", async () => {
    const browser = web.visitor();
    expect((await browser.post("/sign-in", { email: "" })).text).toContain("Enter your e-mail");
    const noPassword = await browser.post("/sign-in", { email: "ada@example.com" });
    expect(noPassword.text).toContain("Enter your password.");
    expect(noPassword.text).toContain('value="ada@example.com"');
  });

  test("cannot be tried endlessly", async () => {
    const email = "victim@example.com";
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      statuses.push((await web.visitor().post("/sign-in", { email, password: "guess" })).status);
    }
    expect(statuses.slice(0, 10).every((status) => status === 400)).toBe(true);
    expect(statuses[10]).toBe(429);
  });

  test("cannot be tried endlessly from one IPv6 network", async () => {
    const email = "another.victim@example.com";
    const guess = async (host: string) => {
      const headers = { "x-forwarded-for": `2001:db8:1:2::${host}` };
      return (await web.visitor().post("/sign-in", { email, password: "guess" }, headers)).status;
    };
    for (let attempt = 0; attempt < 10; attempt += 1) await guess(String(attempt));
    expect(await guess("ffff")).toBe(429);
  });

  test("lead to an error page while the identity provider fails", async () => {
    web.provider.faults.isTokenEndpointFailing = true;
    const answer = await web.visitor().post("/sign-in", { ...member });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).not.toBeNull();
  });
});

describe("signing out", () => {
  test("ends the session here and at the provider", async () => {
    const browser = await signInMember(web, member);
    const kept = new Map(browser.cookies);
    const answer = await browser.post("/sign-out");
    expect(answer).toMatchObject({ status: 303, location: "/sign-in?done=signed-out" });
    expect(await isSignedIn(browser)).toBe(false);
    expect((await browser.get(answer.location)).text).toContain("You are signed out.");
    expect([...kept.keys()].some((name) => name.includes("session"))).toBe(true);
    expect([...browser.cookies.keys()].some((name) => name.includes("session"))).toBe(false);
  });

  test("requires our own form", async () => {
    const browser = await signInMember(web, member);
    expect((await browser.get("/sign-out")).status).toBe(404);
    expect((await browser.post("/sign-out", { csrf: "" })).status).toBe(403);
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe("a form", () => {
  test.each([
    ["without the secret", { csrf: "" }, {}],
    ["with another browser's secret", { csrf: "A".repeat(43) }, {}],
    ["from another site", {}, { "sec-fetch-site": "cross-site" }],
    ["from a neighbour", {}, { "sec-fetch-site": "same-site" }],
    ["from another origin", {}, { origin: "https://evil.example" }],
    ["from nowhere", {}, { origin: "null" }],
  ])("refuses %s", async (_what, fields, headers) => {
    const browser = web.visitor();
    const answer = await browser.post("/sign-in", { ...member, ...fields }, headers);
    expect(answer.status).toBe(403);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

test("every cookie is hidden from scripts, for the whole site and never sent by others' forms", async () => {
  const browser = await signInMember(web, member);
  await browser.get("/sign-in/with/google");
  expect(browser.setCookies.length).toBeGreaterThan(3);
  for (const line of browser.setCookies) {
    expect(line).toContain("; Path=/");
    expect(line).toContain("; HttpOnly");
    expect(line).toContain("; SameSite=Lax");
    expect(line).not.toContain("Domain");
  }
});

test("publicly cacheable responses contain no browser's cookie", async () => {
  const browser = web.visitor();
  const path = /href="(\/assets\/site[^"]*)"/.exec((await web.visitor().get("/sign-in")).text)![1]!;
  const { status, headers } = await browser.get(path);
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toContain("public");
  expect(browser.setCookies).toEqual([]);
});

test("the icon is where browsers look for it by default", async () => {
  const browser = web.visitor();
  const { status, headers, text } = await browser.get("/favicon.ico");
  expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  expect(text).toContain("<svg");
  expect(browser.setCookies).toEqual([]);
});

test("over https, cookies are bound to exactly this host", async () => {
  await using secure = await startWebFixture({ config: { baseUrl: "https://journal.example" } });
  const browser = secure.visitor();
  const answer = await browser.get("/sign-in/with/google");
  expect(answer.headers.get("strict-transport-security")).not.toBeNull();
  for (const line of browser.setCookies) {
    expect(line).toMatch(/^__Host-/);
    expect(line).toContain("; Secure");
  }
});

test("an open redirect is impossible", async () => {
  const returnTo = "https://evil.example/";
  const signIn = await web.visitor().post("/sign-in", { ...member, return_to: returnTo });
  expect(signIn.location).toBe("/journal");
  const page = await web
    .visitor()
    .get(`/sign-in?return_to=${encodeURIComponent("//evil.example")}`);
  expect(page.text).not.toContain("evil.example");
});
