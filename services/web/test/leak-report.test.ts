import { afterAll, beforeAll, expect, test } from "vitest";

import { visibleText } from "./forms.ts";
import type { TestPerson, WebFixture } from "./web-fixture.ts";
import { CALL, asPerson, startWebFixture } from "./web-fixture.ts";

const PAGE = "/report-key";

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture()));
afterAll(() => web[Symbol.asyncDispose]());

async function makeKey(person: TestPerson): Promise<string> {
  const request = { name: "leaked", scopes: ["service.read"] };
  return (await web.as("web").auth.createKey(request, asPerson(person))).apiKey;
}

async function works(apiKey: string): Promise<boolean> {
  const { outcome } = await web.as("gateway").auth.authenticate({ apiKey }, CALL);
  return outcome.case === "principal";
}

test("anybody who finds a key can end it without an account, and it is never shown back", async () => {
  const apiKey = await makeKey(await web.makePerson());
  const visitor = web.visitor();
  expect((await visitor.get(PAGE)).status).toBe(200);
  const report = () => visitor.post(PAGE, { api_key: ` ${apiKey} `, found_at: "a forum" });
  const ended = await visitor.follow(await report());
  expect(visibleText(ended.text)).toContain("The key has ended");
  expect(ended.text).not.toContain(apiKey);
  expect(await works(apiKey)).toBe(false);
  const again = await visitor.follow(await report());
  expect(visibleText(again.text)).toContain("No working key has this text");
});

test("a report without the form's secret ends nothing", async () => {
  const apiKey = await makeKey(await web.makePerson());
  const answer = await web.visitor().post(PAGE, { api_key: apiKey, csrf: "" });
  expect(answer.status).toBe(403);
  expect(await works(apiKey)).toBe(true);
});

test("explains an empty report, and limits the reports of a network", async () => {
  const other = await web.startAnother();
  const visitor = other.visitor();
  expect((await visitor.post(PAGE, { api_key: "" })).status).toBe(400);
  for (let count = 0; count < 10; count += 1)
    expect((await visitor.post(PAGE, { api_key: "wrong" })).status).toBe(303);
  const apiKey = await makeKey(await web.makePerson());
  const refused = await visitor.post(PAGE, { api_key: apiKey });
  expect(refused.status).toBe(429);
  expect(visibleText(refused.text)).toContain("Try again in a minute");
  expect(refused.text).not.toContain(apiKey);
});
