import { randomBytes } from "node:crypto";

import { systemClock as clock } from "@nutrition/core/clock";
import { Secret } from "@nutrition/core/secret";
import { afterAll, beforeAll, expect, test } from "vitest";

import { SealedCookies } from "../src/sessions/sealed-cookies.ts";
import { Browser } from "./browser.ts";
import type { WebFixture } from "./web-fixture.ts";
import { startWebFixture } from "./web-fixture.ts";

const [OLD, NEW] = Array.from(
  { length: 2 },
  () => new Secret(randomBytes(32).toString("base64url")),
);

const COOKIE = "nutrition-session.0";

let web: WebFixture;
beforeAll(async () => {
  web = await startWebFixture({ config: { sessionKeys: [OLD as Secret] } });
});
afterAll(() => web[Symbol.asyncDispose]());

/** The same browser at another instance, as behind a load balancer. */
function at(baseUrl: string, { cookies }: Browser): Browser {
  const other = new Browser(baseUrl);
  for (const [name, value] of cookies) other.cookies.set(name, value);
  return other;
}

/** The session as encrypted by an instance that renews it. */
async function renew({ cookies }: Browser, keys: readonly Secret[]): Promise<void> {
  const sealing = new SealedCookies({ keys, isHttps: false, clock });
  const session = await sealing.open(cookies.get(COOKIE) ?? "", "session");
  if (!session) throw new Error("The session cannot be opened.");
  const { aud: _, exp: __, ...value } = session;
  cookies.set(COOKIE, await sealing.seal(value, "session", 3_600));
}

test("replacing session keys in three steps signs nobody out and refuses no form", async () => {
  const steps = [[OLD, NEW], [NEW, OLD], [NEW]] as Secret[][];
  let before = web.baseUrl;
  let browser = await web.signIn(await web.makePerson());
  for (const sessionKeys of steps) {
    const { baseUrl } = await web.startAnother({ sessionKeys });
    // Old and new instances respond in turn, each to what the other has encrypted.
    await renew(browser, sessionKeys);
    for (const url of [before, baseUrl, before]) {
      browser = at(url, browser);
      expect((await browser.get("/settings/keys")).status).toBe(200);
      const posted = await browser.post("/settings/profile", { name: "Ada" });
      expect([posted.status, posted.location]).not.toContain("/sign-in");
      expect(posted.status).toBeLessThan(400);
    }
    before = baseUrl;
  }
});

test("a session encrypted with a removed key is over", async () => {
  const browser = await web.signIn(await web.makePerson());
  const { baseUrl } = await web.startAnother({ sessionKeys: [NEW as Secret] });
  const { status, location } = await at(baseUrl, browser).get("/settings/keys");
  expect([status, location]).toEqual([303, expect.stringContaining("/sign-in")]);
});
