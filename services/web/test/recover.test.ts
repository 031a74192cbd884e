import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { Browser } from "./browser.ts";
import { visibleText } from "./forms.ts";
import {
  choosePassword,
  isSignedIn,
  mailTo,
  makeMember,
  openRecoveryMail,
  recoveryMailArrives,
  signInMember,
} from "./members.ts";
import { startWebFixture } from "./web-fixture.ts";
import type { WebFixture } from "./web-fixture.ts";

let web: WebFixture;
beforeAll(async () => void (web = await startWebFixture()));
afterAll(() => web[Symbol.asyncDispose]());
beforeEach(() => web.provider.faults.reset());

const mailArrives = (email: string) => recoveryMailArrives(web, email);
const openMail = (browser: Browser, email: string) => openRecoveryMail(web, browser, email);

describe("a forgotten password", () => {
  test("is replaced through a mail, and the person is signed in", async () => {
    const member = await makeMember(web);
    const browser = web.visitor();
    const asked = await browser.post("/recover", {
      email: member.email,
      return_to: "/settings/keys",
    });
    expect(asked).toMatchObject({ status: 303, location: "/recover?done=sent" });
    const form = await openMail(browser, member.email);
    expect(visibleText(form.text)).toContain(`For the account of ${member.email}`);
    expect(await isSignedIn(browser)).toBe(false);

    const short = await choosePassword(browser, form, "short");
    expect(short.status).toBe(400);
    expect(visibleText(short.text)).toContain("Use at least 8 characters.");
    const saved = await choosePassword(browser, short, "a new long password");
    expect(saved.location).toBe(
      "/settings/access?done=password-changed&return_to=%2Fsettings%2Fkeys",
    );
    expect((await browser.get(saved.location)).text).toContain('href="/settings/keys"');

    const old = await web.visitor().post("/sign-in", { ...member });
    expect(old.status).toBe(400);
    await signInMember(web, { ...member, password: "a new long password" });
  });

  test("gets the same response as an address without an account", async () => {
    const member = await makeMember(web);
    const pages = await Promise.all(
      [member.email, "nobody@example.com"].map(async (email) => {
        const browser = web.visitor();
        const { status, location } = await browser.post("/recover", { email });
        const { text } = await browser.get(location);
        return { status, location, text: text.replaceAll(/(nonce|value)="[^"]*"/g, "") };
      }),
    );
    expect(pages[0]).toEqual(pages[1]);
  });

  test("gets the same response while the provider fails", async () => {
    web.proxy.interrupt = (_method, url) => (url.includes("/recover") ? "before" : undefined);
    const answer = await web.visitor().post("/recover", { email: "ada@example.com" });
    web.proxy.reset();
    expect(answer).toMatchObject({ status: 303, location: "/recover?done=sent" });
  });

  test("is not replaced in a browser that did not ask", async () => {
    const member = await makeMember(web);
    await web.visitor().post("/recover", { email: member.email });
    const opened = await openMail(web.visitor(), member.email);
    expect(opened.status).toBe(400);
    expect(opened.text).toContain("in the browser in which you asked for it");
  });

  test("is not replaced by a link that was opened before", async () => {
    const member = await makeMember(web);
    const browser = web.visitor();
    await browser.post("/recover", { email: member.email });
    await mailArrives(member.email);
    const { link } = mailTo(web, member.email);
    await fetch(link, { redirect: "manual" });
    const opened = await openMail(browser, member.email);
    expect(opened.status).toBe(400);
    expect(opened.text).toContain("used already");
  });

  test("is not replaced by somebody who is only signed in", async () => {
    const member = await makeMember(web);
    const browser = await signInMember(web, member);
    expect((await browser.get("/sign-in/password")).location).toBe("/recover");
    for (const link of ["", "made up"]) {
      const saved = await browser.post("/sign-in/password", { link, password: "a new password" });
      expect(saved.status).toBe(400);
      expect(visibleText(saved.text)).toContain("Ask for a new one.");
    }
    await signInMember(web, member);
  });

  test("is not replaced with the form of another browser", async () => {
    const member = await makeMember(web);
    const browser = web.visitor();
    await browser.post("/recover", { email: member.email });
    const form = await openMail(browser, member.email);
    const stolen = await choosePassword(web.visitor(), form, "a new long password");
    expect(stolen.status).toBe(400);
    expect((await choosePassword(browser, form, "a new long password")).status).toBe(303);
  });

  test("ends at the provider when the link is opened, even if no new one is chosen", async () => {
    const member = await makeMember(web);
    const browser = web.visitor();
    await browser.post("/recover", { email: member.email });
    await openMail(browser, member.email);
    expect((await web.visitor().post("/sign-in", { ...member })).status).toBe(400);
  });

  test("is set with the newest link only", async () => {
    const member = await makeMember(web);
    const [first, second] = [web.visitor(), web.visitor()];
    await first.post("/recover", { email: member.email });
    const oldForm = await openMail(first, member.email);
    await second.post("/recover", { email: member.email });
    await expect
      .poll(() => web.provider.inbox.filter(({ to }) => to === member.email).length)
      .toBe(2);
    const newForm = await openMail(second, member.email);
    const late = await choosePassword(first, oldForm, "a new long password");
    expect(visibleText(late.text)).toContain("only with the newest link");
    expect((await choosePassword(second, newForm, "another long password")).status).toBe(303);
  });

  test("requires an address", async () => {
    const answer = await web.visitor().post("/recover", { email: " " });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Enter your e-mail address.");
  });
});
