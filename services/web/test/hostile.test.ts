import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Browser } from "./browser.ts";
import { authorize, decide, registerClient } from "./assistants.ts";
import { makeMember, signInMember } from "./members.ts";
import { startWebFixture } from "./web-fixture.ts";
import type { WebFixture } from "./web-fixture.ts";

let web: WebFixture;
let browser: Browser;
let otherBrowser: Browser;
beforeAll(async () => {
  web = await startWebFixture();
  browser = await signInMember(web, await makeMember(web));
  otherBrowser = await signInMember(web, await makeMember(web));
});
afterAll(() => web[Symbol.asyncDispose]());

const NAMES = [
  ["markup", '<script>alert(1)</script><img src=x onerror="alert(1)">'],
  ["quotes", `"><svg onload=alert(1)> ' onmouseover='alert(1)`],
  ["direction control", "Cl\u202Eedua\u2066 ai\u2069"],
  ["invisible characters", "Cla\u200bude\u00ad\ufeff"],
  ["line breaks", "Claude\r\nSet-Cookie: a=b\u2028x"],
  ["look-alike letters", "\u0421laude"],
  ["a huge length", "x".repeat(1_000)],
  ["piled marks", `Z${"\u0301".repeat(500)}`],
  ["nothing", ""],
] as const;

/** Text that must never appear in a page, whatever a client's name. */
function expectHarmless(text: string): void {
  const body = text.slice(text.indexOf("<main"));
  expect(body).not.toMatch(/<(script|img|svg|iframe)/i);
  expect(body).not.toMatch(/<[a-z][^>]*\son[a-z]+\s*=/i);
  expect(body).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u00ad\ufeff\u2028]/);
  expect(body).not.toContain("x".repeat(100));
  expect(body).not.toMatch(/\u0301{5}/);
}

test.each(NAMES)("a client's name with %s is harmless on every page", async (_what, name) => {
  const path = await authorize(web, await registerClient(web, { name }));
  const asked = await browser.get(path);
  expect(asked.text).toContain("What may it do?");
  expectHarmless(asked.text);
  const allowed = await decide(browser, path, { decision: "read" });
  expect(allowed.status).toBe(303);
  expectHarmless((await browser.get(path)).text);
  const list = await browser.get("/settings/connections");
  expectHarmless(list.text);
  const question = /href="(\/settings\/connections\/revoke[^"]*)"/.exec(list.text)![1]!;
  expectHarmless((await browser.get(question)).text);
});

test.each([
  [
    "letters of another alphabet",
    "https://\u0441laude.ai/cb",
    "xn--laude-0ye.ai",
    "letters that can look like",
  ],
  [
    "a well-known host in front",
    "https://claude.ai.evil.example/cb",
    "claude.ai.evil.example",
    "assistant of that name has another address",
  ],
  ["this device", "http://localhost:8080/cb", "localhost:8080", "program on your own device"],
  ["an app", "com.evil.app://x/<b>", "com.evil.app:", "an app on your device"],
])(
  "a client that returns to %s is shown with its true address",
  async (_what, redirectUri, host, warning) => {
    const page = await browser.get(
      await authorize(web, await registerClient(web, { redirectUri })),
    );
    expect(page.text).toContain(`<code class="host">${host}</code>`);
    expect(page.text.replaceAll(/\s+/g, " ")).toContain(warning);
    expectHarmless(page.text);
  },
);

test("a client's address never escapes the page that redirects to it", async () => {
  const redirectUri = `https://claude.ai/cb?a="><script>alert(1)</script>&b='`;
  const path = await authorize(web, await registerClient(web, { redirectUri }));
  await browser.get(path);
  await decide(browser, path, { decision: "deny" });
  const page = await browser.get(path);
  expect(page.text).toContain('http-equiv="refresh"');
  expect(page.text).not.toContain("<script");
});

test("no query of any page appears as markup or causes a server error", async () => {
  const pages = ["/sign-in", "/sign-up", "/recover", "/oauth/callback", "/oauth/consent"].concat([
    "/settings/connections",
    "/settings/connections/revoke",
    "/recover/done",
  ]);
  const names = fc.constantFrom(
    "return_to",
    "done",
    "code",
    "state",
    "authorization_id",
    "client_id",
    "error",
  );
  const values = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.constantFrom('"><script>alert(1)</script>', "javascript:alert(1)", "__proto__", "\0", "%"),
  );
  const queries = fc.array(fc.tuple(names, values), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...pages), queries, async (path, query) => {
      const answer = await otherBrowser.get(`${path}?${new URLSearchParams(query).toString()}`);
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toMatch(/<script(?! type="module" src="\/assets\/)/);
      expect(answer.location).not.toMatch(/^(?!\/(?!\/))./);
    }),
    { numRuns: 60 },
  );
});
