import { randomUUID } from "node:crypto";

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { providerMailsMissing } from "@nutrition/telemetry/metrics/nutrition";
import { recordMetrics, valueNow } from "@nutrition/telemetry/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { visibleText } from "./forms.ts";
import { isSignedIn, makeMember, signInMember } from "./members.ts";
import { SteppedClock } from "./stepped-clock.ts";
import type { WebFixture } from "./web-fixture.ts";
import { startWebFixture } from "./web-fixture.ts";

const PASSWORD = "a long new password";
const SENT = "/sign-up?done=sent";
const newEmail = () => `${randomUUID()}@example.com`;

let web: WebFixture;
const signUp = async (email: string) => (await web.visitor().post("/sign-up", { email })).location;
const mailsTo = (email: string) => web.provider.inbox.filter(({ to }) => to === email).length;

describe("where addresses are confirmed by mail, a sign-up", () => {
  const clock = new SteppedClock(new Date());
  const MAILS_PER_HOUR = 5;
  beforeAll(
    async () => void (web = await startWebFixture({ clock, mailsPerHour: MAILS_PER_HOUR })),
  );
  afterAll(() => web[Symbol.asyncDispose]());
  beforeEach(() => {
    web.proxy.reset();
    clock.advance(60 * 60_000);
  });

  test("asks for the address alone", async () => {
    const { text } = await web.visitor().get("/sign-up");
    expect(text).toContain('name="email"');
    expect(text).not.toContain('name="password"');
    expect((await web.visitor().post("/sign-up", { email: "" })).text).toContain(
      "Enter your e-mail",
    );
    const malformed = await web.visitor().post("/sign-up", { email: "nowhere" });
    expect(malformed.text).toContain("such as person@example.com");
  });

  test("sends a link, with which nobody else can sign in meanwhile", async () => {
    const email = newEmail();
    expect(await signUp(email)).toBe(SENT);
    expect(mailsTo(email)).toBe(1);
    const early = await web.visitor().post("/sign-in", { email, password: PASSWORD });
    expect(early.status).toBe(400);
  });

  test("gets one answer, whether the address is new, known, waiting, or there are too many mails", async () => {
    const [fresh, waiting] = [newEmail(), newEmail()];
    const { email: known } = await makeMember(web);
    await signUp(waiting);
    const waitingAgain = await signUp(waiting);
    const answers = [waitingAgain, await signUp(fresh), await signUp(known)];
    for (let count = 0; count < MAILS_PER_HOUR; count += 1) answers.push(await signUp(newEmail()));
    const refused = newEmail();
    answers.push(await signUp(refused));
    expect(new Set(answers)).toEqual(new Set([SENT]));
    expect([mailsTo(waiting), mailsTo(refused)]).toEqual([1, 0]);
    const page = visibleText((await web.visitor().get(SENT)).text);
    expect(page).toContain(
      "If none comes, look into the spam folder, or try again in some minutes",
    );
  });

  test("counts what the provider's quota refuses, and the operator's inspection says when", async () => {
    using _ = recordMetrics();
    for (let count = 0; count < MAILS_PER_HOUR; count += 1) await signUp(newEmail());
    const refusedAt = async () => {
      const { mailQuotaRefusedAt } = await web.inspect();
      return mailQuotaRefusedAt && timestampDate(mailQuotaRefusedAt);
    };
    expect(await refusedAt()).not.toEqual(clock.now());
    await signUp(newEmail());
    const reason = { "nutrition.mail.reason": "quota" };
    expect(valueNow(providerMailsMissing, reason)).toBe(1);
    expect(await refusedAt()).toEqual(clock.now());
  });

  test("gets that answer twice if it is sent twice at the same moment", async () => {
    const email = newEmail();
    const statuses: number[] = [];
    web.proxy.observe = (status) => void statuses.push(status);
    expect(await Promise.all([signUp(email), signUp(email)])).toEqual([SENT, SENT]);
    expect(statuses.filter((status) => status >= 400)).toHaveLength(1);
  });

  test("says so if the provider limits attempts, or does not respond", async () => {
    const headers = { "sb-forwarded-for": "198.51.100.7" };
    for (let attempt = 0; attempt < 30; attempt += 1)
      await fetch(`${web.provider.issuer}/signup`, { method: "POST", headers, body: "{}" });
    const from = { "x-forwarded-for": "198.51.100.7" };
    const limited = await web.visitor().post("/sign-up", { email: newEmail() }, from);
    expect(visibleText(limited.text)).toContain("Too many attempts. Try again in a few minutes.");
    web.proxy.interrupt = (_method, url) => (url.includes("/signup") ? "before" : undefined);
    expect((await web.visitor().post("/sign-up", { email: newEmail() })).status).toBe(503);
  });
});

describe("where nothing is confirmed by mail, a sign-up", () => {
  beforeAll(async () => void (web = await startWebFixture({ autoconfirm: true })));
  afterAll(() => web[Symbol.asyncDispose]());

  test("asks for the password, and signs in at once", async () => {
    const browser = web.visitor();
    expect((await browser.get("/sign-up")).text).toContain('autocomplete="new-password"');
    const email = newEmail();
    const short = await browser.post("/sign-up", { email, password: "short" });
    expect(visibleText(short.text)).toContain("Use at least 8 characters.");
    const answer = await browser.post("/sign-up", { email, password: PASSWORD });
    expect(answer).toMatchObject({ status: 303, location: "/journal" });
    expect(await isSignedIn(browser)).toBe(true);
    await signInMember(web, { email, password: PASSWORD });
  });

  test("with a known address is refused, and signs nobody in", async () => {
    const { email } = await makeMember(web);
    const browser = web.visitor();
    const answer = await browser.post("/sign-up", { email, password: PASSWORD });
    expect(visibleText(answer.text)).toContain("If you already have one, sign in instead.");
    expect(await isSignedIn(browser)).toBe(false);
  });
});
