import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { Browser } from "./browser.ts";
import {
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
    const opened = await openMail(browser, member.email);
    expect(opened).toMatchObject({ status: 303, location: "/recover/password" });
    expect((await browser.get(opened.location)).text).toContain("Choose a new password");

    const short = await browser.post("/recover/password", { password: "short" });
    expect(short.status).toBe(400);
    const same = await browser.post("/recover/password", { password: member.password });
    expect(same.text).toContain("This is already your password.");
    const saved = await browser.post("/recover/password", { password: "a new long password" });
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
    const browser = await signInMember(web, await makeMember(web));
    const page = await browser.get("/recover/password");
    expect(page.location).toBe("/recover");
    const saved = await browser.post("/recover/password", { password: "a new long password" });
    expect(saved.location).toBe("/recover");
  });

  test("is not replaced in somebody else's session", async () => {
    const member = await makeMember(web);
    const browser = web.visitor();
    await browser.post("/recover", { email: member.email });
    await openMail(browser, member.email);
    const other = await makeMember(web);
    await browser.post("/sign-in", { ...other });
    const saved = await browser.post("/recover/password", { password: "a new long password" });
    expect(saved.location).toBe("/recover");
    await signInMember(web, other);
  });

  test("requires an address", async () => {
    const answer = await web.visitor().post("/recover", { email: " " });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Enter your e-mail address.");
  });
});
