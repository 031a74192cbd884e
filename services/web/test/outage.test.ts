import { expect, test } from "vitest";

import { visibleText } from "./forms.ts";
import { ShiftedClock } from "./shifted-clock.ts";
import { asPerson, startWebFixture } from "./web-fixture.ts";

async function setup() {
  const clock = new ShiftedClock();
  const web = await startWebFixture({ clock });
  const person = await web.makePerson();
  const key = { name: "still here", scopes: ["service.read"] };
  await web.as("web").auth.createKey(key, asPerson(person));
  const browser = await web.signIn(person);
  const stop = web.backends.stop;
  return { browser, clock, stop, [Symbol.asyncDispose]: () => web[Symbol.asyncDispose]() };
}

test("without limits, keys can still be managed", async () => {
  await using web = await setup();
  await web.stop("limits");
  const answer = await web.browser.get("/settings/keys");
  expect(answer.status).toBe(200);
  expect(visibleText(answer.text)).toContain("still here");
  expect(visibleText(answer.text)).toContain("Usage is temporarily unavailable.");
});

test("without auth, the journal can be read for 4 s, and is then unavailable", async () => {
  await using web = await setup();
  expect((await web.browser.get("/journal")).status).toBe(200);
  await web.stop("auth");
  expect((await web.browser.get("/journal")).status).toBe(200);
  const askAuth = ["/settings/keys", "/settings/profile", "/journal/export.json"];
  for (const path of askAuth) expect((await web.browser.get(path)).status).toBe(503);
  web.clock.advance(4_000);
  const answer = await web.browser.get("/journal");
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(visibleText(answer.text)).toContain("temporarily unavailable");
  expect(web.browser.cookies.has("nutrition-session.0")).toBe(true);
});

test("without auth, nothing is changed and nobody is told that they are signed out", async () => {
  await using web = await setup();
  expect((await web.browser.get("/settings/profile")).status).toBe(200);
  await web.stop("auth");
  for (const path of ["/settings/profile", "/settings/sign-out-everywhere", "/sign-out"]) {
    expect((await web.browser.post(path, { "goals.calories": "1" })).status).toBe(503);
  }
  expect(web.browser.cookies.has("nutrition-session.0")).toBe(true);
});

test("without the journal, its pages say so and can be tried again", async () => {
  await using web = await setup();
  await web.stop("journal");
  for (const path of ["/journal", "/journal/2026-01-01", "/journal/export.csv"]) {
    const answer = await web.browser.get(path);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("content-type")).toContain("text/html");
  }
});
