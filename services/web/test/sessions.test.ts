import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";

import type { Browser } from "./browser.ts";
import { connect, registerClient } from "./assistants.ts";
import { makeMember, signInMember } from "./members.ts";
import type { Member } from "./members.ts";
import { startWebFixture } from "./web-fixture.ts";
import type { WebFixture } from "./web-fixture.ts";

/** Runs in real time, with a calendar that the test sets. */
class CalendarClock implements Clock {
  #now = new Date();
  now = () => this.#now;
  monotonicMs = () => systemClock.monotonicMs();
  sleep = (ms: number, signal?: AbortSignal) => systemClock.sleep(ms, signal);

  advance(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1_000);
  }
}

const clock = new CalendarClock();
const ACCESS_SECONDS = 3_600;
let web: WebFixture;
let member: Member;
beforeAll(async () => {
  web = await startWebFixture({ clock });
  member = await makeMember(web);
});
afterAll(() => web[Symbol.asyncDispose]());
beforeEach(() => {
  web.provider.faults.reset();
  web.proxy.reset();
});

async function statusOf(browser: Browser): Promise<number> {
  return (await browser.get("/settings/connections")).status;
}

function copyOf(browser: Browser): Browser {
  const copy = web.visitor();
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
}

test("renews a session when its token is about to expire", async () => {
  const browser = await signInMember(web, member);
  const before = browser.cookies.get("nutrition-session.0");
  clock.advance(ACCESS_SECONDS / 2);
  expect(await statusOf(browser)).toBe(200);
  expect(browser.cookies.get("nutrition-session.0")).toBe(before);
  clock.advance(ACCESS_SECONDS / 2);
  expect(await statusOf(browser)).toBe(200);
  expect(browser.cookies.get("nutrition-session.0")).not.toBe(before);
});

test("pages that are loaded in parallel renew it once", async () => {
  const browser = await signInMember(web, member);
  clock.advance(ACCESS_SECONDS);
  const statuses = await Promise.all(Array.from({ length: 6 }, () => statusOf(copyOf(browser))));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
});

test("a signed-out session is over, including copies of its cookies", async () => {
  const browser = await signInMember(web, member);
  const copy = copyOf(browser);
  await browser.post("/sign-out");
  const answer = await copy.get("/settings/connections");
  expect(answer.location).toMatch(/^\/sign-in/);
  expect([...copy.cookies.keys()].some((name) => name.includes("session"))).toBe(false);
});

test("a person who does not return for two weeks signs in again", async () => {
  const browser = await signInMember(web, member);
  clock.advance(14 * 86_400 + 1);
  expect(await statusOf(browser)).toBe(303);
});

test("an outage of the provider during a renewal makes pages unavailable, but signs nobody out", async () => {
  const browser = await signInMember(web, member);
  clock.advance(ACCESS_SECONDS);
  web.provider.faults.isTokenEndpointFailing = true;
  const away = await browser.get("/settings/connections");
  expect(away.status).toBe(503);
  expect(away.headers.get("retry-after")).not.toBeNull();
  web.provider.faults.reset();
  expect(await statusOf(browser)).toBe(200);
});

test("an assistant's token never becomes a session", async () => {
  const browser = await signInMember(web, member);
  const client = await registerClient(web);
  const tokens = await connect(web, browser, client);
  const subject = z.object({ sub: z.string() }).parse(decodeJwt(tokens.accessToken)).sub;
  web.proxy.replace = (method, url) =>
    method === "POST" && url.includes("/token?grant_type=password")
      ? {
          access_token: tokens.accessToken,
          refresh_token: tokens.refreshToken,
          user: { id: subject, email: member.email },
        }
      : undefined;
  const visitor = web.visitor();
  const answer = await visitor.post("/sign-in", { ...member });
  expect(answer.status).toBe(403);
  expect([...visitor.cookies.keys()].some((name) => name.includes("session"))).toBe(false);
  expect(await statusOf(visitor)).toBe(303);
});
