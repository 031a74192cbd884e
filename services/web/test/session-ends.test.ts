import { silentLogger } from "@nutrition/core/logger";
import { Secret } from "@nutrition/core/secret";
import { isWithoutRedis, startRedis } from "@nutrition/test-support/redis";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { authorize, canRenew, connect, decide, registerClient } from "./assistants.ts";
import type { Answer, Browser } from "./browser.ts";
import { hiddenField } from "./forms.ts";
import { makeMember, signInMember } from "./members.ts";
import { ShiftedClock } from "./shifted-clock.ts";
import type { TestPerson, WebFixture } from "./web-fixture.ts";
import { CALL, asPerson, startWebFixture } from "./web-fixture.ts";

const FORM = { name: "Backup script", access: "read", expiry: "never", expiry_date: "" };
const AS_REMEMBERED_MS = 4_000;

const clock = new ShiftedClock();
let web: WebFixture;
let elsewhere: { visitor(): Browser };
beforeAll(async () => {
  web = await startWebFixture({ clock });
  elsewhere = await web.startAnother();
});
afterAll(() => web[Symbol.asyncDispose]());
beforeEach(() => {
  web.provider.faults.reset();
  web.proxy.reset();
});

/** A browser with the same cookies, on another instance of the pages. */
function copyOf(browser: Browser): Browser {
  const copy = elsewhere.visitor();
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
}

async function createKey(browser: Browser, creationId?: string): Promise<Answer> {
  const creation_id =
    creationId ?? hiddenField((await browser.get("/settings/keys")).text, "creation_id");
  return browser.post("/settings/keys", { ...FORM, creation_id });
}

/** A person who is signed in here, and whose cookie was copied and used on another instance. */
async function copied() {
  const person = await web.makePerson();
  const browser = await web.signIn(person);
  const copy = copyOf(browser);
  const page = await copy.get("/settings/keys");
  expect(page.status).toBe(200);
  return { person, browser, copy, creationId: hiddenField(page.text, "creation_id") };
}

async function keysOf(person: TestPerson) {
  return (await web.as("web").auth.listKeys({}, asPerson(person))).keys;
}

const signedOut = (answer: Answer) => answer.location.startsWith("/sign-in");

describe("a copied cookie", () => {
  test("is refused by other instances 4 s after the sign-out, and deleted", async () => {
    const { browser, copy } = await copied();
    await browser.post("/sign-out");
    clock.advance(AS_REMEMBERED_MS);
    expect(signedOut(await copy.get("/journal"))).toBe(true);
    expect([...copy.cookies.keys()].filter((name) => name.includes("session"))).toEqual([]);
  });

  test("creates no key from the moment of the sign-out on", async () => {
    const { person, browser, copy, creationId } = await copied();
    await browser.post("/sign-out");
    expect(signedOut(await createKey(copy, creationId))).toBe(true);
    expect(await keysOf(person)).toEqual([]);
  });

  const id = "some-authorization";
  const attempts: Readonly<Record<string, (copy: Browser) => Promise<Answer>>> = {
    "exports no JSON": (copy) => copy.get("/journal/export.json"),
    "exports no CSV": (copy) => copy.get("/journal/export.csv"),
    "sees no request for consent": (copy) => copy.get(`/oauth/consent?authorization_id=${id}`),
    "gives no consent": (copy) => copy.post("/oauth/consent", { authorization_id: id }),
    "saves no settings": (copy) => copy.post("/settings/profile", { "goals.calories": "1" }),
    "changes no connection": (copy) =>
      copy.post("/settings/connections/permission", { client_id: "any", permission: "write" }),
    "ends no connection": (copy) => copy.post("/settings/connections/revoke", { client_id: "any" }),
    "ends no access": (copy) => copy.post("/settings/access", { end: "all" }),
  };

  test.each(Object.keys(attempts))("%s from that moment on", async (name) => {
    const { browser, copy } = await copied();
    await browser.post("/sign-out");
    expect(signedOut(await attempts[name]!(copy))).toBe(true);
  });

  test("is over even if the identity provider does not respond to the sign-out", async () => {
    const { browser, copy, creationId } = await copied();
    web.proxy.interrupt = (_method, url) => (url.includes("/logout") ? "before" : undefined);
    expect((await browser.post("/sign-out")).location).toBe("/sign-in?done=signed-out");
    expect(signedOut(await createKey(copy, creationId))).toBe(true);
  });

  test("is over when the person signs out everywhere, on another device", async () => {
    const { person, copy, creationId } = await copied();
    const phone = await web.signIn(person);
    const answer = await phone.post("/settings/sign-out-everywhere");
    expect(answer.location).toBe("/sign-in?done=signed-out-everywhere");
    expect(signedOut(await createKey(copy, creationId))).toBe(true);
    expect(signedOut(await phone.get("/journal"))).toBe(true);
  });

  test("is over when the account is erased", async () => {
    const { person, copy } = await copied();
    await web.as("admin").auth.eraseAccount({ accountId: person.accountId }, CALL);
    clock.advance(AS_REMEMBERED_MS);
    expect(signedOut(await copy.get("/journal"))).toBe(true);
  });

  test("of another person is unaffected by one's sign-out", async () => {
    const [ada, bob] = [await copied(), await copied()];
    await ada.browser.post("/sign-out");
    const adaOnPhone = await web.signIn(ada.person);
    await adaOnPhone.post("/settings/sign-out-everywhere");
    clock.advance(AS_REMEMBERED_MS);
    expect((await bob.copy.get("/journal")).status).toBe(200);
    expect((await createKey(bob.browser)).status).toBe(200);
  });

  test("from before a sign-in that replaced it in its browser is refused", async () => {
    const member = await makeMember(web);
    const browser = await signInMember(web, member);
    const copy = copyOf(browser);
    await browser.post("/sign-in", { ...member });
    expect(signedOut(await copy.get("/journal/export.csv"))).toBe(true);
    expect((await browser.get("/journal")).status).toBe(200);
  });
});

test("an assistant stays connected when its person signs out everywhere", async () => {
  const browser = await signInMember(web, await makeMember(web));
  const client = await registerClient(web);
  const { refreshToken } = await connect(web, browser, client);
  await browser.post("/settings/sign-out-everywhere");
  expect(await canRenew(web, client, refreshToken)).toBe(true);
});

test("consent in an ended session approves nothing", async () => {
  const member = await makeMember(web);
  const browser = await signInMember(web, member);
  const client = await registerClient(web);
  const path = await authorize(web, client);
  expect((await browser.get(path)).status).toBe(200);
  const [copy, looking] = [copyOf(browser), copyOf(browser)];
  expect((await looking.get("/journal")).status).toBe(200);
  await browser.post("/sign-out");
  expect(signedOut(await looking.get(path))).toBe(true);
  const allowed = await decide(copy, path, { decision: "write" });
  expect(signedOut(allowed)).toBe(true);
  const selector = { case: "email", value: member.email } as const;
  const { account } = await web.as("admin").auth.getAccount({ selector }, CALL);
  const { grants } = await web.as("admin").auth.listGrants({ accountId: account!.id }, CALL);
  expect(grants).toEqual([]);
});

describe.skipIf(isWithoutRedis())("with Redis", () => {
  test("other instances refuse a session immediately after its sign-out", async () => {
    await using redis = await startRedis();
    const redisUrl = new Secret(redis.url);
    await using own = await startWebFixture({ clock, logger: silentLogger, redisUrl });
    const another = await own.startAnother();
    const person = await own.makePerson();
    await expect
      .poll(async () => {
        const browser = await own.signIn(person);
        const copy = another.visitor();
        for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
        expect((await copy.get("/journal")).status).toBe(200);
        await browser.post("/sign-out");
        return signedOut(await copy.get("/journal"));
      })
      .toBe(true);
  });
});
