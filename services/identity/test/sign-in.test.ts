import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { RunningIdentity } from "../src/service.ts";
import { startIdentity } from "../src/service.ts";
import { redirectOf } from "./assistant.ts";
import { newAuthClient, SITE_URL, testConfig, USERS } from "./target.ts";

const FORGETFUL = {
  email: "forgetful@example.com",
  password: "the old password",
  name: "Forgetful",
  emailVerified: true,
};
const HOSTILE = { ...FORGETFUL, email: "hostile@example.com", name: `<img src=x onerror="x">` };
const RETURN_TO = `${SITE_URL}/sign-in/callback`;

let identity: RunningIdentity;
beforeAll(async () => {
  identity = await startIdentity(testConfig({ users: [...USERS, FORGETFUL, HOSTILE] }));
});
afterAll(() => identity[Symbol.asyncDispose]());

const client = () => newAuthClient({ issuer: identity.issuer, headers: {} });
const lastMailTo = (email: string) => identity.inbox.findLast(({ to }) => to === email);

/** Begins a third-party sign-in; returns its page and the flow in its form. */
async function openStandIn(auth = client(), redirectTo = RETURN_TO) {
  const { data } = await auth.signInWithOAuth({
    provider: "google",
    options: { redirectTo, skipBrowserRedirect: true },
  });
  const page = await redirectOf(data.url ?? "");
  return { auth, page, flow: page.searchParams.get("flow") ?? "" };
}

function submit(page: URL, fields: Record<string, string>) {
  return redirectOf(page, { method: "POST", body: new URLSearchParams(fields) });
}

describe("a third party", () => {
  test("creates an account with a confirmed address for a new person", async () => {
    const { auth, page, flow } = await openStandIn();
    const email = "New.Person@Example.com";
    const back = await submit(page, { flow, email, name: "New Person" });
    expect(`${back.origin}${back.pathname}`).toBe(RETURN_TO);
    const { data } = await auth.exchangeCodeForSession(back.searchParams.get("code") ?? "");
    expect(data.user).toMatchObject({
      email: "new.person@example.com",
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: "google", providers: ["google"] },
      user_metadata: { name: "New Person", email_verified: true },
    });
  });

  test("signs a person in to the existing account with the same confirmed address", async () => {
    const [robin] = USERS;
    const { auth, page, flow } = await openStandIn();
    const back = await submit(page, { flow, email: robin?.email ?? "", name: "Somebody" });
    const { data } = await auth.exchangeCodeForSession(back.searchParams.get("code") ?? "");
    expect(data.user?.app_metadata.providers).toEqual(["email", "google"]);
    expect(data.user?.user_metadata["name"]).toBe(robin?.name);
  });

  test("takes over an account that a stranger created with the address and never confirmed", async () => {
    const email = "victim@example.com";
    const password = "a stranger's password";
    await client().signUp({ email, password });
    const { page, flow } = await openStandIn();
    await submit(page, { flow, email, name: "Victim" });
    const { error } = await client().signInWithPassword({ email, password });
    expect(error).toMatchObject({ code: "invalid_credentials" });
  });

  test("reports when the person cancelled", async () => {
    const { page, flow } = await openStandIn();
    const back = await submit(page, { flow, action: "cancel" });
    expect(back.searchParams.get("error")).toBe("access_denied");
  });

  test("returns to the site when asked to redirect elsewhere", async () => {
    const { page, flow } = await openStandIn(client(), "https://evil.example/steal");
    const back = await submit(page, { flow, email: "new@example.com" });
    expect(back.origin).toBe(SITE_URL);
  });

  test("its code works once, and only with the verifier", async () => {
    const { auth, page, flow } = await openStandIn();
    const back = await submit(page, { flow, email: "new@example.com" });
    const code = back.searchParams.get("code") ?? "";
    const thief = await openStandIn();
    const stolen = await thief.auth.exchangeCodeForSession(code);
    expect(stolen.error).toMatchObject({ status: 400, code: "bad_code_verifier" });
    expect((await auth.exchangeCodeForSession(code)).error).toBeNull();
    const spent = await (await openStandIn()).auth.exchangeCodeForSession(code);
    expect(spent.error).toMatchObject({ status: 404, code: "flow_state_not_found" });
  });

  test("its page shows names as text", async () => {
    const { page } = await openStandIn();
    const response = await fetch(page);
    const html = await response.text();
    expect(html).toContain("&lt;img src=x onerror=&quot;x&quot;&gt;");
    expect(html).not.toContain("<img");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("without a stand-in is refused", async () => {
    const query = `code_challenge=${"c".repeat(43)}&code_challenge_method=s256`;
    const response = await fetch(`${identity.issuer}/authorize?provider=constructor&${query}`);
    expect(response.status).toBe(400);
  });
});

describe("a forgotten password", () => {
  test("is replaced through the mail, and the old one stops working", async () => {
    const { email, password } = FORGETFUL;
    const auth = client();
    await auth.resetPasswordForEmail(email, { redirectTo: `${SITE_URL}/new-password` });
    const back = await redirectOf(lastMailTo(email)?.link ?? "");
    expect(back.pathname).toBe("/new-password");
    await auth.exchangeCodeForSession(back.searchParams.get("code") ?? "");
    expect((await auth.updateUser({ password: "short" })).error).toMatchObject({
      code: "weak_password",
      reasons: ["length"],
    });
    expect((await auth.updateUser({ password })).error).toMatchObject({ code: "same_password" });
    expect((await auth.updateUser({ password: "the new password" })).error).toBeNull();
    const old = await client().signInWithPassword({ email, password });
    expect(old.error).toMatchObject({ code: "invalid_credentials" });
    const now = await client().signInWithPassword({ email, password: "the new password" });
    expect(now.error).toBeNull();
  });

  test("a mail's link works once", async () => {
    const { email } = FORGETFUL;
    await client().resetPasswordForEmail(email, { redirectTo: RETURN_TO });
    const link = lastMailTo(email)?.link ?? "";
    await redirectOf(link);
    const again = await redirectOf(link);
    expect(again.searchParams.get("error_code")).toBe("otp_expired");
  });

  test("of an unknown address gets the same answer, and no mail", async () => {
    const before = identity.inbox.length;
    const { error } = await client().resetPasswordForEmail("nobody@example.com");
    expect(error).toBeNull();
    expect(identity.inbox).toHaveLength(before);
  });
});

describe("a new account", () => {
  test("works only once the address is confirmed", async () => {
    const credentials = { email: "fresh@example.com", password: "a new password" };
    const auth = client();
    const { data } = await auth.signUp({
      ...credentials,
      options: { emailRedirectTo: RETURN_TO, data: { name: "Fresh" } },
    });
    expect(data).toMatchObject({ session: null, user: { email: credentials.email } });
    const early = await client().signInWithPassword(credentials);
    expect(early.error).toMatchObject({ status: 400, code: "email_not_confirmed" });
    const back = await redirectOf(lastMailTo(credentials.email)?.link ?? "");
    const session = await auth.exchangeCodeForSession(back.searchParams.get("code") ?? "");
    expect(session.data.user?.user_metadata).toMatchObject({ name: "Fresh", email_verified: true });
    expect((await client().signInWithPassword(credentials)).error).toBeNull();
  });

  test("with an existing address does not reveal that it exists", async () => {
    const { data, error } = await client().signUp({
      email: FORGETFUL.email,
      password: "another password",
    });
    expect(error).toBeNull();
    expect(data.user?.identities).toEqual([]);
  });
});

test("shows mails as an inbox page", async () => {
  await client().resetPasswordForEmail(FORGETFUL.email);
  const response = await fetch(`http://${identity.address}/inbox`);
  expect(response.headers.get("content-type")).toContain("text/html");
  const html = await response.text();
  expect(html).toContain("For development only");
  expect(html).toContain(FORGETFUL.email);
});
