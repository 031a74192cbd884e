import { request } from "node:http";

import { Failure } from "@nutrition/core/failure";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { OPEN_PER_ACCOUNT_MAX } from "../src/http/admission.ts";
import { Browser } from "./browser.ts";
import type { Answer } from "./browser.ts";
import { visibleText } from "./forms.ts";
import { HeldJournal } from "./held-journal.ts";
import type { TestPerson, WebFixture } from "./web-fixture.ts";
import { asPerson, startWebFixture } from "./web-fixture.ts";

const DAY = "/journal/2026-01-01";
const EXPORT = "/journal/export.json";

let web: WebFixture;
let baseUrl: string;
const journal = new HeldJournal();
beforeAll(async () => {
  web = await startWebFixture();
  await journal.start(web);
  const backends = { ...web.backends.addresses, journal: journal.address };
  ({ baseUrl } = await web.startAnother({ backends }));
});
afterEach(() => journal.letGo());
afterAll(async () => {
  await journal[Symbol.asyncDispose]();
  await web[Symbol.asyncDispose]();
});

async function signIn(person?: TestPerson): Promise<Browser> {
  const { cookies } = await web.signIn(person ?? (await web.makePerson()));
  const browser = new Browser(baseUrl);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  // Gets the forms' secret.
  await browser.get("/settings/sign-in-methods");
  return browser;
}

/** A request that can be aborted, as browsers do. */
function begin({ cookies }: Browser, path: string, body?: string) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const sent = request(baseUrl + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { cookie, ...(body !== undefined && type) },
    agent: false,
  });
  sent.on("error", () => {});
  sent.end(body);
  return { hangUp: () => sent.destroy() };
}

function expectRefused(answer: Answer, seconds: string, words: string): void {
  expect(answer.status).toBe(429);
  expect(answer.headers.get("retry-after")).toBe(seconds);
  expect(visibleText(answer.text)).toContain(words);
}

const TOO_MANY = "You are loading too many pages at the same time. Wait";

describe("pages of one account", () => {
  test("are limited; one more is an error page and does not call the journal", async () => {
    const person = await web.makePerson();
    const [browser, sameAccount, other] = [
      await signIn(person),
      await signIn(person),
      await signIn(),
    ];
    journal.hold();
    const open = Array.from({ length: OPEN_PER_ACCOUNT_MAX }, () => browser.get(DAY));
    await expect.poll(() => journal.held).toBe(OPEN_PER_ACCOUNT_MAX);
    expectRefused(await sameAccount.get(DAY), "1", TOO_MANY);
    expectRefused(await sameAccount.post("/settings/profile", {}), "1", TOO_MANY);
    expect(journal.held).toBe(OPEN_PER_ACCOUNT_MAX);
    // This page does not call the journal.
    expect((await other.get("/settings/sign-in-methods")).status).toBe(200);
    journal.letGo();
    // On a busy machine, a held call may reach its deadline.
    for (const { status } of await Promise.all(open)) expect([200, 503]).toContain(status);
    await expect.poll(async () => (await browser.get(DAY)).status).toBe(200);
  });

  test("are cancelled when the visitor disconnects, and hold their slots until the journal has stopped", async () => {
    const browser = await signIn();
    journal.hold();
    const open = Array.from({ length: OPEN_PER_ACCOUNT_MAX }, () => begin(browser, DAY));
    await expect.poll(() => journal.held).toBe(OPEN_PER_ACCOUNT_MAX);
    for (const { hangUp } of open) hangUp();
    await expect.poll(() => journal.givenUp).toBe(OPEN_PER_ACCOUNT_MAX);
    expectRefused(await browser.get(DAY), "1", TOO_MANY);
    journal.letGo();
    await expect.poll(async () => (await browser.get(DAY)).status).toBe(200);
  });
});

test("completes what was posted, even when the visitor disconnects", async () => {
  const person = await web.makePerson();
  const browser = await signIn(person);
  await browser.get(DAY);
  journal.hold();
  const form = { csrf: browser.csrfToken ?? "", "goals.calories": "1950" };
  const { hangUp } = begin(browser, "/settings/profile", new URLSearchParams(form).toString());
  await expect.poll(() => journal.held).toBe(1);
  hangUp();
  // By the time the pages answer on another connection, they have seen the end of that one.
  await browser.get("/settings/sign-in-methods");
  journal.letGo();
  const settings = async () => {
    const { json } = await web.as("web").journal.getSettings({}, asPerson(person));
    return JSON.parse(Buffer.from(json).toString()) as unknown;
  };
  await expect.poll(settings).toMatchObject({ nutrition_goals: { calories: 1_950 } });
});

describe("exports of one account", () => {
  const RUNNING = "Another download of your journal is running. Wait until it has ended";

  test("run one at a time, whatever their format", async () => {
    const person = await web.makePerson();
    const [browser, sameAccount, other] = [
      await signIn(person),
      await signIn(person),
      await signIn(),
    ];
    journal.hold();
    const running = browser.get(EXPORT);
    await expect.poll(() => journal.held).toBe(1);
    const others = other.get(EXPORT);
    await expect.poll(() => journal.held).toBe(2);
    for (const path of [EXPORT, "/journal/export.csv"]) {
      expectRefused(await sameAccount.get(path), "5", RUNNING);
    }
    journal.letGo();
    expect((await running).status).toBe(200);
    expect((await others).status).toBe(200);
    await expect.poll(async () => (await browser.get(EXPORT)).status).toBe(200);
  });

  test("are cancelled when the visitor disconnects, and end only when the journal has stopped", async () => {
    const browser = await signIn();
    journal.hold();
    const { hangUp } = begin(browser, EXPORT);
    await expect.poll(() => journal.held).toBe(1);
    hangUp();
    await expect.poll(() => journal.givenUp).toBe(1);
    expectRefused(await browser.get(EXPORT), "5", RUNNING);
    journal.letGo();
    await expect.poll(async () => (await browser.get(EXPORT)).status).toBe(200);
  });
});

test("a refusal of the busy journal is a page that says when to retry", async () => {
  const browser = await signIn();
  const message = "Too many of your requests are waiting.";
  const options = { retryAfterMs: 1_200.5 };
  journal.refusal = new Failure("resource_exhausted", "TOO_MANY_AT_ONCE", message, options);
  try {
    expectRefused(await browser.get(DAY), "2", message);
  } finally {
    journal.refusal = undefined;
  }
});
