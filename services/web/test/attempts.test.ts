import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { Browser } from "./browser.ts";
import { makeMember, signInMember } from "./members.ts";
import type { Member } from "./members.ts";
import { SteppedClock } from "./stepped-clock.ts";
import { startWebFixture } from "./web-fixture.ts";
import type { WebFixture } from "./web-fixture.ts";

const MINUTE_MS = 60_000;

let clock: SteppedClock;
let web: WebFixture;
let member: Member;
beforeAll(async () => {
  clock = new SteppedClock(new Date());
  web = await startWebFixture({ clock });
});
afterAll(() => web[Symbol.asyncDispose]());
beforeEach(async () => void (member = await makeMember(web)));

/** The client's network as stated by the gateway. */
const from = (network: number) => ({
  "x-forwarded-for": `198.51.${network >> 8}.${network & 255}`,
});

async function guess(network: number, browser: Browser = web.visitor(), email = member.email) {
  const form = { email, password: "a guess" };
  return (await browser.post("/sign-in", form, from(network))).status;
}

/** Guesses from one network after another until a guess has to wait; returns the number before that. */
async function guessUntilSlowed(firstNetwork = 0): Promise<number> {
  for (let made = 0; made < 100; made += 1) {
    if ((await guess(firstNetwork + made)) === 429) return made;
  }
  throw new Error("Nothing slowed the guesses down.");
}

describe("guesses at one password from many networks", () => {
  test("are limited to one every quarter of an hour, together", async () => {
    expect(await guessUntilSlowed()).toBe(10);
    for (let round = 0; round < 10; round += 1) {
      clock.advance(15 * MINUTE_MS);
      expect(await guess(1_000 + round)).toBe(400);
    }
    clock.advance(14 * MINUTE_MS);
    expect(await guess(1_100)).toBe(429);
  });

  test("do not slow down the browser in which the person has signed in before", async () => {
    const browser = await signInMember(web, member);
    await browser.post("/sign-out");
    await guessUntilSlowed();
    const answer = await browser.post("/sign-in", { ...member }, from(5_000));
    expect(answer.status).toBe(303);
  });

  test("lock nobody out: another browser can sign in after the stated wait", async () => {
    await guessUntilSlowed();
    const early = await web.visitor().post("/sign-in", { ...member }, from(6_000));
    expect(early.status).toBe(429);
    expect(early.text).toContain("Try again in a minute.");
    clock.advance(MINUTE_MS);
    const answer = await web.visitor().post("/sign-in", { ...member }, from(6_000));
    expect(answer.status).toBe(303);
  });

  test("are slowed down in a browser that knows another account, too", async () => {
    const own = await signInMember(web, await makeMember(web));
    await guessUntilSlowed();
    expect(await guess(3_000, own)).toBe(429);
  });

  test("are counted without successful sign-ins", async () => {
    for (let network = 0; network < 12; network += 1) {
      const answer = await web.visitor().post("/sign-in", { ...member }, from(8_000 + network));
      expect(answer.status).toBe(303);
    }
  });

  test("do not slow down those at another password", async () => {
    await guessUntilSlowed();
    expect(await guess(4_000, web.visitor(), "another@example.com")).toBe(400);
  });
});

describe("mails to one address, requested from many networks,", () => {
  const asked = (path: string) => web.provider.inbox.filter(({ to }) => to === path).length;

  test.each([["/recover"], ["/sign-up"]])("at %s are few", async (path) => {
    const email = path === "/recover" ? member.email : "not.yet@example.com";
    const before = asked(email);
    const statuses: number[] = [];
    for (let network = 0; network < 6; network += 1) {
      statuses.push((await web.visitor().post(path, { email }, from(network))).status);
    }
    expect(statuses).toEqual([303, 303, 303, 429, 429, 429]);
    await expect.poll(() => asked(email) - before).toBe(1);
  });

  test("do not prevent the person's own browser from asking", async () => {
    const browser = await signInMember(web, member);
    for (let network = 0; network < 6; network += 1) {
      await web.visitor().post("/recover", { email: member.email }, from(network));
    }
    const answer = await browser.post("/recover", { email: member.email }, from(7_000));
    expect(answer.status).toBe(303);
  });
});

describe("the identity provider", () => {
  test("limits attempts by the visitor's address, not by the pages' own", async () => {
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const headers = { "sb-forwarded-for": "198.51.40.1" };
      await fetch(`${web.provider.issuer}/token`, { method: "POST", headers });
    }
    const form = { email: "somebody@example.com", password: "a guess" };
    const attempt = async (network: number) =>
      (await web.visitor().post("/sign-in", form, from(network))).text;
    expect(await attempt((40 << 8) + 1)).toContain("Try again in a few minutes.");
    expect(await attempt((40 << 8) + 2)).toContain("is incorrect.");
  });

  test("receives the visitor's address for a renewal, too", async () => {
    const browser = await signInMember(web, member);
    clock.advance(60 * MINUTE_MS);
    web.proxy.seen.clear();
    await browser.get("/settings/connections", from(9));
    const headers = web.proxy.seen.get("/auth/v1/token");
    expect(headers?.["sb-forwarded-for"]).toBe("198.51.0.9");
  });
});
