import { newId } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import { SubjectKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Answer, Browser } from "./browser.ts";
import { hiddenField, visibleText } from "./forms.ts";
import type { TestPerson, WebFixture } from "./web-fixture.ts";
import { CALL, asKeyOf, asPerson, startWebFixture } from "./web-fixture.ts";

const KEY = /service_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{104}/;
const FORM = { name: "Backup script", access: "read", expiry: "90", expiry_date: "" };

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture()));
afterAll(() => web[Symbol.asyncDispose]());

async function setup(): Promise<{ person: TestPerson; browser: Browser }> {
  const person = await web.makePerson();
  return { person, browser: await web.signIn(person) };
}

/** Opens the page and sends the form for a new key. */
async function create(browser: Browser, changes: Partial<typeof FORM> = {}): Promise<Answer> {
  const { text } = await browser.get("/settings/keys");
  const creation_id = hiddenField(text, "creation_id");
  return browser.post("/settings/keys", { ...FORM, creation_id, ...changes });
}

async function makeKey(person: TestPerson, name = "some key") {
  const request = { name, scopes: ["service.read"] };
  const { apiKey, key } = await web.as("web").auth.createKey(request, asPerson(person));
  return { apiKey, id: key!.id };
}

async function listKeys(person: TestPerson) {
  return (await web.as("web").auth.listKeys({}, asPerson(person))).keys;
}

async function works(apiKey: string): Promise<boolean> {
  const { outcome } = await web.as("gateway").auth.authenticate({ apiKey }, CALL);
  return outcome.case === "principal";
}

test("shows a new, working key once, with instructions", async () => {
  const { browser } = await setup();
  const answer = await create(browser, { access: "write" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const [apiKey] = KEY.exec(answer.text)!;
  const text = visibleText(answer.text);
  expect(text).toContain(`Authorization: Bearer ${apiKey}`);
  expect(text).toContain(`"url": "${web.baseUrl}/mcp"`);
  expect(text).toContain("not shown again");
  expect(await works(apiKey)).toBe(true);
  const list = await browser.get("/settings/keys");
  expect(list.text).not.toMatch(KEY);
  expect(visibleText(list.text)).toContain("Backup script");
  expect(visibleText(list.text)).toContain("Read and log food");
  expect(visibleText(list.text)).toContain("1 of 10 in use");
});

test("sending the same form again creates no second key, and says so", async () => {
  const { person, browser } = await setup();
  const creation_id = hiddenField((await browser.get("/settings/keys")).text, "creation_id");
  const send = () => browser.post("/settings/keys", { ...FORM, creation_id });
  expect((await send()).status).toBe(200);
  const again = await send();
  expect(again.status).toBe(400);
  expect(again.text).not.toMatch(KEY);
  expect(visibleText(again.text)).toContain("This form has already created a key");
  expect(await listKeys(person)).toHaveLength(1);
});

test("two instances that get the same form concurrently create one key", async () => {
  const { person, browser } = await setup();
  const creation_id = hiddenField((await browser.get("/settings/keys")).text, "creation_id");
  const other = (await web.startAnother()).visitor();
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  const answers = await Promise.all(
    [browser, other].map((one) => one.post("/settings/keys", { ...FORM, creation_id })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(await listKeys(person)).toHaveLength(1);
});

test("a double submit creates one key, which both responses show", async () => {
  const { person, browser } = await setup();
  const creation_id = hiddenField((await browser.get("/settings/keys")).text, "creation_id");
  const send = () => browser.post("/settings/keys", { ...FORM, creation_id });
  const answers = await Promise.all([send(), send()]);
  const shown = answers.flatMap(({ text }) => KEY.exec(text)?.[0] ?? []);
  expect(new Set(shown).size).toBe(1);
  expect(await listKeys(person)).toHaveLength(1);
});

test("a form with an error returns as it was typed, and creates nothing", async () => {
  const { person, browser } = await setup();
  const answer = await create(browser, { name: "", access: "write", expiry: "date" });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('role="alert"');
  expect(answer.text).toContain('id="name-error"');
  expect(answer.text).toContain('id="expiry_date-error"');
  expect(answer.text).toMatch(/value="write"\s+checked/);
  expect(answer.text).toContain('<option value="date" selected>');
  expect(await listKeys(person)).toEqual([]);
});

test("explains a limit of ten keys, and refuses an older form", async () => {
  const { person, browser } = await setup();
  for (let count = 0; count < 9; count += 1) await makeKey(person);
  const creation_id = hiddenField((await browser.get("/settings/keys")).text, "creation_id");
  expect((await browser.post("/settings/keys", { ...FORM, creation_id })).status).toBe(200);
  const full = await browser.get("/settings/keys");
  expect(visibleText(full.text)).toContain("10 of 10 in use");
  expect(visibleText(full.text)).toContain("Revoke one that you do not need");
  expect(full.text).not.toContain('name="creation_id"');
  const [newest] = await listKeys(person);
  const forced = await browser.post("/settings/keys", { ...FORM, creation_id: newest!.id });
  expect(forced.status).toBe(400);
  expect(visibleText(forced.text)).toContain("at most 10 active keys");
});

test("marks keys that deserve a review", async () => {
  const { person, browser } = await setup();
  const [unused, idle, ending] = [
    await makeKey(person),
    await makeKey(person),
    await makeKey(person),
  ];
  const { database } = web.backends.databases.auth;
  const set = (id: string, change: ReturnType<typeof sql>) =>
    database.query({ ...change, text: `update api_keys set ${change.text} where id = '${id}'` });
  await set(unused.id, sql`created_at = clock_timestamp() - interval '8 days'`);
  await set(
    idle.id,
    sql`created_at = clock_timestamp() - interval '200 days',
    last_used_at = clock_timestamp() - interval '91 days'`,
  );
  await set(ending.id, sql`expires_at = clock_timestamp() + interval '3 days'`);
  const text = visibleText((await browser.get("/settings/keys")).text);
  for (const mark of ["Never used", "Not used for 90 days", "Expires soon"]) {
    expect(text.split(mark)).toHaveLength(2);
  }
});

test("explains where a key was last used, on request", async () => {
  const { person, browser } = await setup();
  const { id } = await makeKey(person);
  const { database } = web.backends.databases.auth;
  const change = sql`last_used_at = clock_timestamp(), last_ip_hash = '\\xa1b2c3d4e5f6'`;
  await database.query({
    ...change,
    text: `update api_keys set ${change.text} where id = '${id}'`,
  });
  const { text } = await browser.get("/settings/keys");
  const explanation = /<details>\s*<summary>From where\?<\/summary>.*?<\/details>/s.exec(text)![0];
  expect(explanation).toContain("<code>a1b2c3d4e5f6</code>");
  expect(text.split("a1b2c3d4e5f6")).toHaveLength(2);
});

test("an account without premium is told before it creates a key that cannot log yet", async () => {
  const told = "such a key only reads";
  const basic = await web.signIn(await web.makePerson({ hasPremium: false }));
  expect(visibleText((await basic.get("/settings/keys")).text)).toContain(told);
  const { browser } = await setup();
  expect(visibleText((await browser.get("/settings/keys")).text)).not.toContain(told);
});

test("shows a key's requests of the last 30 days as a drawing and in words", async () => {
  const { person, browser } = await setup();
  const { id } = await makeKey(person);
  const request = {
    requestId: newId(),
    subjectKind: SubjectKind.API_KEY,
    credentialId: id,
    cost: 3,
  };
  await web.as("gateway").limits.count(request, asKeyOf(person, id));
  const { text } = await browser.get("/settings/keys");
  expect(text).toContain('aria-label="3 requests in the last 30 days, at most 3 on one day"');
  expect(text.match(/<rect /g)).toHaveLength(1);
});

test("a replaced key stays valid for the chosen time, and is replaced once", async () => {
  const { person, browser } = await setup();
  const old = await makeKey(person, "phone");
  const path = `/settings/keys/${old.id}/rotate`;
  expect(visibleText((await browser.get(path)).text)).toContain("Replace phone");
  const answer = await browser.post(path, { overlap: "3600" });
  const [fresh] = KEY.exec(answer.text)!;
  expect(visibleText(answer.text)).toMatch(/The old key, service_live_\w+…, ends in 1 hour/);
  expect([await works(old.apiKey), await works(fresh)]).toEqual([true, true]);
  const again = await browser.post(path, { overlap: "3600" });
  expect(again.location).toBe("/settings/keys?done=replaced-before");
  expect(visibleText((await browser.follow(again)).text)).toContain("nothing was changed");
  expect(await listKeys(person)).toHaveLength(2);
});

test("a key that is replaced without overlap ends immediately", async () => {
  const { person, browser } = await setup();
  const old = await makeKey(person);
  const answer = await browser.post(`/settings/keys/${old.id}/rotate`, { overlap: "0" });
  expect(visibleText(answer.text)).toContain("The old key has ended.");
  expect(await works(old.apiKey)).toBe(false);
});

test("refuses an overlap that is not offered", async () => {
  const { person, browser } = await setup();
  const { id, apiKey } = await makeKey(person);
  expect((await browser.post(`/settings/keys/${id}/rotate`, { overlap: "60" })).status).toBe(400);
  expect(await works(apiKey)).toBe(true);
});

test("revokes a key after a confirmation", async () => {
  const { person, browser } = await setup();
  const { id, apiKey } = await makeKey(person, "old laptop");
  const question = await browser.get(`/settings/keys/${id}/revoke`);
  expect(visibleText(question.text)).toContain("Revoke old laptop?");
  expect(await works(apiKey)).toBe(true);
  const answer = await browser.follow(await browser.post(`/settings/keys/${id}/revoke`));
  expect(visibleText(answer.text)).toContain("The key is revoked.");
  expect(visibleText(answer.text)).toContain("Keys that have ended");
  expect(await works(apiKey)).toBe(false);
  expect((await browser.get(`/settings/keys/${id}/revoke`)).status).toBe(404);
});

test("a key is renamed, and goes on working", async () => {
  const { person, browser } = await setup();
  const { id, apiKey } = await makeKey(person, "old name");
  const page = await browser.get(`/settings/keys/${id}/rename`);
  expect(hiddenField(page.text.replace('type="text"', ""), "name")).toBe("old name");
  const done = await browser.follow(
    await browser.post(`/settings/keys/${id}/rename`, { name: " new name " }),
  );
  expect(visibleText(done.text)).toContain("The key has its new name.");
  expect((await listKeys(person)).map(({ name }) => name)).toEqual(["new name"]);
  expect(await works(apiKey)).toBe(true);
});

test.each(["", "x".repeat(101)])("refuses the new name '%s' and shows it again", async (name) => {
  const { person, browser } = await setup();
  const { id } = await makeKey(person, "old name");
  const answer = await browser.post(`/settings/keys/${id}/rename`, { name });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('id="name-error"');
  expect(answer.text).toContain(`name="name" value="${name}"`);
  expect((await listKeys(person))[0]!.name).toBe("old name");
});

test("shows a name as text, sanitized", async () => {
  const { person, browser } = await setup();
  const { id } = await makeKey(person, `<script>alert(1)</script>\u202Etxt ${"x".repeat(60)}`);
  for (const path of ["", `/${id}/rename`, `/${id}/rotate`, `/${id}/revoke`]) {
    const { text } = await browser.get(`/settings/keys${path}`);
    expect(text).toContain("<bdi>&lt;script&gt;alert(1)&lt;/script&gt;txt xxx");
    expect(text).not.toContain("<script>");
    expect(text).not.toContain("\u202E");
    if (!path.endsWith("rename")) expect(text).not.toContain("x".repeat(60));
  }
});

test("another person's keys cannot be seen, replaced or revoked", async () => {
  const owner = await setup();
  const stranger = await setup();
  const { id, apiKey } = await makeKey(owner.person, "mine alone");
  expect((await stranger.browser.get("/settings/keys")).text).not.toContain("mine alone");
  for (const verb of ["rename", "rotate", "revoke"]) {
    const path = `/settings/keys/${id}/${verb}`;
    const answers = [
      await stranger.browser.get(path),
      await stranger.browser.post(path, { overlap: "0", name: "stolen" }),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(404);
      expect(text).not.toContain("mine alone");
    }
  }
  expect(await works(apiKey)).toBe(true);
});

test("a form without its secret changes nothing", async () => {
  const { person, browser } = await setup();
  const { id, apiKey } = await makeKey(person);
  for (const path of ["", `/${id}/rename`, `/${id}/rotate`, `/${id}/revoke`]) {
    const fields = { ...FORM, creation_id: id, overlap: "0", api_key: apiKey, csrf: "" };
    expect((await browser.post(`/settings/keys${path}`, fields)).status).toBe(403);
  }
  expect((await listKeys(person)).map(({ name }) => name)).toEqual(["some key"]);
  expect(await works(apiKey)).toBe(true);
});

test("nobody sees keys without signing in", async () => {
  const visitor = web.visitor();
  const answer = await visitor.get("/settings/keys");
  expect(answer.location).toBe("/sign-in?return_to=%2Fsettings%2Fkeys");
  expect((await visitor.post("/settings/keys", FORM)).location).toBe("/sign-in");
});
