import { expect, test } from "vitest";

import { visibleText } from "./forms.ts";
import { asPerson, startWebFixture } from "./web-fixture.ts";

async function setup() {
  const web = await startWebFixture();
  const person = await web.makePerson();
  const key = { name: "still here", scopes: ["service.read"] };
  await web.as("web").auth.createKey(key, asPerson(person));
  const browser = await web.signIn(person);
  const stop = web.backends.stop;
  return { browser, stop, [Symbol.asyncDispose]: () => web[Symbol.asyncDispose]() };
}

test("without limits, keys can still be managed", async () => {
  await using web = await setup();
  await web.stop("limits");
  const answer = await web.browser.get("/settings/keys");
  expect(answer.status).toBe(200);
  expect(visibleText(answer.text)).toContain("still here");
  expect(visibleText(answer.text)).toContain("Usage cannot be shown at the moment.");
});

test("without auth, the journal can still be read", async () => {
  await using web = await setup();
  await web.stop("auth");
  expect((await web.browser.get("/journal")).status).toBe(200);
  for (const path of ["/settings/keys", "/settings/profile", "/journal/export.json"]) {
    const answer = await web.browser.get(path);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(visibleText(answer.text)).toContain("not available at the moment");
  }
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
