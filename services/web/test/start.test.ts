import { afterAll, beforeAll, expect, test } from "vitest";

import { visibleText } from "./forms.ts";
import type { WebFixture } from "./web-fixture.ts";
import { asPerson, startWebFixture } from "./web-fixture.ts";

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture()));
afterAll(() => web[Symbol.asyncDispose]());

test("the start page introduces the service and shows how to connect and sign in", async () => {
  const { status, text } = await web.visitor().get("/");
  expect(status).toBe(200);
  for (const path of ["/sign-in", "/sign-up", "/docs"]) expect(text).toContain(`href="${path}"`);
  expect(visibleText(text)).toContain(`${web.baseUrl}/mcp`);
  const picture = /<img src="([^"]+)"/.exec(text)![1]!;
  expect((await web.visitor().get(picture)).headers.get("content-type")).toBe("image/svg+xml");
});

test("a signed-in person is redirected to the journal", async () => {
  const browser = await web.signIn(await web.makePerson());
  expect((await browser.get("/")).location).toBe("/journal");
});

test("a new person sees three steps until all are done", async () => {
  const person = await web.makePerson();
  const browser = await web.signIn(person);
  const page = (await browser.get("/journal")).text;
  // The script finds the link to which it adds the browser's zone, and nothing says it twice.
  expect(page.match(/id="choose-timezone"/g)).toHaveLength(1);
  expect(visibleText(page)).not.toContain("may not be where you are");
  const before = visibleText(page);
  expect(before).toMatch(/Choose your time zone, .*Set daily goals, .*Connect an assistant,/);
  const settings = { timezone: "Europe/Berlin", goals: { calories: 1_900 } };
  const updateMask = { paths: ["timezone", "goals.calories"] };
  await web.as("web").journal.updateSettings({ settings, updateMask }, asPerson(person));
  const then = visibleText((await browser.get("/journal")).text);
  expect(then).toMatch(/Choose your time zone: done Set daily goals: done Connect an assistant,/);
  const key = { name: "k", scopes: ["service.read", "nutrition.write"] };
  await web.as("web").auth.createKey(key, asPerson(person));
  const after = visibleText((await browser.get("/journal")).text);
  expect(after).not.toContain("Three steps");
});

test("without premium, a person on their own machine sees the exact command for it", async () => {
  const plain = await web.makePerson({ hasPremium: false, email: "grace.h+1@example.com" });
  const text = visibleText((await (await web.signIn(plain)).get("/journal")).text);
  expect(text).toContain("npm run -s admin -- accounts set grace.h+1@example.com --premium");
  const odd = await web.makePerson({ hasPremium: false, email: "o'neil@example.com" });
  const careful = visibleText((await (await web.signIn(odd)).get("/journal")).text);
  expect(careful).toContain("Ask whoever runs this service");
  expect(careful).not.toContain("accounts set");
});
