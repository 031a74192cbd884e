import { randomUUID } from "node:crypto";

import { sql } from "@nutrition/postgres/sql";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { Answer, Browser } from "./browser.ts";
import { visibleText } from "./forms.ts";
import {
  chooseAtThirdParty,
  choosePassword,
  clickThrough,
  isSignedIn,
  mailTo,
  openLink,
  openRecoveryMail,
  pathOf,
} from "./members.ts";
import { SteppedClock } from "./stepped-clock.ts";
import type { WebFixture } from "./web-fixture.ts";
import { CALL, startWebFixture } from "./web-fixture.ts";

// A stranger signs up with somebody's address, at the identity provider itself, whose API is public. The
// provider keeps the password of whoever signs up first, also after the owner of the address confirms it.

const STRANGERS = "the stranger's password";
const OWN = "the owner's password";

const clock = new SteppedClock(new Date());
let web: WebFixture;
let email: string;
beforeEach(() => {
  email = `${randomUUID()}@example.com`;
  web.proxy.reset();
});

/** The provider sends the next mail to an address after a minute. */
const aMinuteLater = () => clock.advance(60_000);

async function strangerSignsUp(data: Readonly<Record<string, string>> = {}): Promise<void> {
  const body = JSON.stringify({ email, password: STRANGERS, data });
  const response = await fetch(`${web.provider.issuer}/signup`, { method: "POST", body });
  expect(response.status).toBe(200);
  aMinuteLater();
}

async function ownerSignsUp(browser: Browser): Promise<void> {
  expect((await browser.post("/sign-up", { email })).location).toBe("/sign-up?done=sent");
  aMinuteLater();
}

/** Who gets in with which password; and whether the account that an operator made is bound to anybody. */
async function outcome() {
  const tries = (password: string) => web.visitor().post("/sign-in", { email, password });
  const [stranger, owner] = [await tries(STRANGERS), await tries(OWN)];
  return { stranger: stranger.status === 303, owner: owner.status === 303 };
}

async function isBound(): Promise<boolean> {
  const rows = await web.backends.databases.auth.database.query(sql`
    select from identities join accounts on accounts.id = account_id where email = ${email}
  `);
  return rows.length > 0;
}

const ONLY_OWNER = { stranger: false, owner: true };
const NOBODY = { stranger: false, owner: false };

describe("with links that lead to the pages", () => {
  beforeAll(
    async () =>
      void (web = await startWebFixture({ clock, mailLinksTo: "site", mailsPerHour: 1_000 })),
  );
  afterAll(() => web[Symbol.asyncDispose]());

  /** Signs up in the given order, in an account that an operator made, or in a new one. */
  async function signUps({ first, account }: Scenario, browser: Browser): Promise<void> {
    if (account !== "none")
      await web.as("admin").auth.createAccount({ email, hasPremium: true }, CALL);
    if (first === "stranger") await strangerSignsUp();
    if (account === "invited") {
      invitation = pathOf(await web.invite(email));
      aMinuteLater();
    } else await ownerSignsUp(browser);
    if (first === "owner") await strangerSignsUp();
  }
  let invitation: string;

  interface Scenario {
    readonly first: "stranger" | "owner";
    readonly account: "none" | "created" | "invited";
    readonly opensIn: "the same" | "another";
  }

  const SCENARIOS = (["stranger", "owner"] as const).flatMap((first) =>
    (["none", "created", "invited"] as const).flatMap((account) =>
      (["the same", "another"] as const).map((opensIn): Scenario => ({ first, account, opensIn })),
    ),
  );

  /** Opens the invitation if it is the newest link, and otherwise the newest mail. */
  async function openNewest({ first, account }: Scenario, browser: Browser): Promise<Answer> {
    if (account !== "invited" || first === "owner") return openLink(web, browser, email);
    return clickThrough(browser, await browser.get(invitation));
  }

  test.each(SCENARIOS)(
    "$first first, account $account, opened in $opensIn browser: only the owner gets in",
    async (scenario) => {
      const own = web.visitor();
      await signUps(scenario, own);
      const browser = scenario.opensIn === "the same" ? own : web.visitor();
      const form = await openNewest(scenario, browser);
      expect(visibleText(form.text)).toContain(`${email} is confirmed`);
      const saved = await choosePassword(browser, form, OWN);
      expect(saved).toMatchObject({ status: 303, location: "/journal" });
      expect(await isSignedIn(browser)).toBe(true);
      expect(await outcome()).toEqual(ONLY_OWNER);
      expect(await isBound()).toBe(true);
    },
  );

  test.each(SCENARIOS)(
    "$first first, account $account, and the page closed after the click: nobody gets in",
    async (scenario) => {
      const own = web.visitor();
      await signUps(scenario, own);
      await openNewest(scenario, own);
      expect(await isSignedIn(own)).toBe(false);
      expect(await outcome()).toEqual(NOBODY);
      expect(await isBound()).toBe(false);
    },
  );

  test("a failure between the confirmation and the replacement of the password lets nobody in", async () => {
    await strangerSignsUp();
    const browser = web.visitor();
    // The link reaches the provider, but the call that replaces the password does not.
    web.proxy.interrupt = (method) => (method === "PUT" ? "before" : undefined);
    expect((await openLink(web, browser, email)).status).toBe(503);
    web.proxy.reset();
    const refused = await web.visitor().post("/sign-in", { email, password: STRANGERS });
    expect(refused.status).toBe(400);
    expect(visibleText(refused.text)).toContain("may be somebody else’s");
    expect(await isBound()).toBe(false);
    await browser.post("/recover", { email });
    await expect.poll(() => mailTo(web, email).subject).toBe("Reset your password");
    await choosePassword(browser, await openLink(web, browser, email), OWN);
    expect(await outcome()).toEqual(ONLY_OWNER);
  });

  test("however much a stranger has the tokens of the address carry, the owner chooses a password", async () => {
    await strangerSignsUp({ theme: "x".repeat(3_000) });
    const browser = web.visitor();
    await ownerSignsUp(browser);
    const saved = await choosePassword(browser, await openLink(web, browser, email), OWN);
    expect(saved).toMatchObject({ status: 303, location: "/journal" });
    expect(await outcome()).toEqual(ONLY_OWNER);
  });

  test("a forgotten password of an address that was never confirmed goes to the owner", async () => {
    await strangerSignsUp();
    const browser = web.visitor();
    await browser.post("/recover", { email });
    await expect.poll(() => mailTo(web, email).subject).toBe("Reset your password");
    const form = await openLink(web, browser, email);
    expect(await outcome()).toEqual(NOBODY);
    await choosePassword(browser, form, OWN);
    expect(await outcome()).toEqual(ONLY_OWNER);
  });

  test("an invitation that a stranger's sign-up ended says so, and a new link lets the owner in", async () => {
    await web.as("admin").auth.createAccount({ email, hasPremium: true }, CALL);
    const path = pathOf(await web.invite(email));
    aMinuteLater();
    await strangerSignsUp();
    const browser = web.visitor();
    const ended = await clickThrough(browser, await browser.get(path));
    expect(ended.status).toBe(400);
    expect(visibleText(ended.text)).toContain("Somebody who signs up with your address ends");
    expect(ended.text).toContain('href="/recover"');
    await browser.post("/recover", { email });
    await expect.poll(() => mailTo(web, email).subject).toBe("Reset your password");
    await choosePassword(browser, await openLink(web, browser, email), OWN);
    expect(await outcome()).toEqual(ONLY_OWNER);
    expect(await isBound()).toBe(true);
  });
});

describe("with the provider's own links", () => {
  beforeAll(
    async () =>
      void (web = await startWebFixture({ clock, mailLinksTo: "provider", mailsPerHour: 1_000 })),
  );
  afterAll(() => web[Symbol.asyncDispose]());

  /** Opens the newest mail's link, which leads back to the pages. */
  async function follow(browser: Browser): Promise<Answer> {
    const { headers } = await fetch(mailTo(web, email).link, { redirect: "manual" });
    return browser.get(pathOf(headers.get("location")!));
  }

  test.each(["the same", "another"])(
    "a confirmation in %s browser lets nobody in, until the owner chooses a password",
    async (opensIn) => {
      await web.as("admin").auth.createAccount({ email, hasPremium: true }, CALL);
      await strangerSignsUp();
      const own = web.visitor();
      await ownerSignsUp(own);
      const browser = opensIn === "the same" ? own : web.visitor();
      const confirmed = await follow(browser);
      expect(visibleText(confirmed.text)).toContain("Your address is confirmed");
      expect(await outcome()).toEqual(NOBODY);
      expect(await isBound()).toBe(false);
      await browser.post("/recover", { email });
      await choosePassword(browser, await openRecoveryMail(web, browser, email), OWN);
      expect(await outcome()).toEqual(ONLY_OWNER);
    },
  );

  test("a confirmation that was sent again says that it worked", async () => {
    const browser = web.visitor();
    await ownerSignsUp(browser);
    await browser.post("/sign-up/resend", { email });
    await expect.poll(() => web.provider.inbox.filter(({ to }) => to === email).length).toBe(2);
    expect(visibleText((await follow(browser)).text)).toContain("Your address is confirmed");
    const again = await follow(browser);
    expect(visibleText(again.text)).toContain("This link does not work any more");
  });

  test("the stranger does not get into an account that the owner uses with a third party", async () => {
    await strangerSignsUp();
    const browser = web.visitor();
    await ownerSignsUp(browser);
    await follow(browser);
    const start = await browser.get("/sign-in/with/google");
    await browser.get(pathOf(await chooseAtThirdParty(start.location, { email, name: "Ada" })));
    expect(await isSignedIn(browser)).toBe(true);
    expect(await outcome()).toEqual(NOBODY);
  });
});
