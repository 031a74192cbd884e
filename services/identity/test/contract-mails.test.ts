/**
 * The rest of the contract: sign-ups, links in mails and the passwords that they replace.
 * `contract.test.ts` says how to run it.
 */
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { linkTo } from "./received-mails.ts";
import { newAuthClient, newEmail, openTarget, type Target } from "./target.ts";

const STRANGERS = "A1! a stranger's password";
const OWN = "A1! the owner's password";
const CHALLENGE = { code_challenge: "c".repeat(43), code_challenge_method: "s256" };

let target: Target;
beforeAll(async () => void (target = await openTarget()));
afterAll(() => target[Symbol.asyncDispose]());

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly user: { readonly id: string; readonly confirmation_sent_at?: string };
}

function call(method: string, path: string, body?: unknown, token?: string): Promise<Response> {
  return fetch(`${target.issuer}${path}`, {
    method,
    headers: {
      ...target.headers,
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const signUp = (email: string, password: string) =>
  call("POST", "/signup", { email, password, ...CHALLENGE });

const open = (type: string, tokenHash: string) =>
  call("POST", "/verify", { type, token_hash: tokenHash });

async function openLink(type: string, email: string, count = 1): Promise<Tokens> {
  const { tokenHash } = await linkTo(target.findMails, email, count);
  const response = await open(type, tokenHash);
  expect(response.status).toBe(200);
  return (await response.json()) as Tokens;
}

async function invite(email: string): Promise<string> {
  const response = await target.callAsAdmin("POST", "/generate_link", { type: "invite", email });
  return ((await response.json()) as { hashed_token: string }).hashed_token;
}

const setPassword = (token: string, password: string) => call("PUT", "/user", { password }, token);

const signsIn = async (email: string, password: string) =>
  (await newAuthClient(target).signInWithPassword({ email, password })).error === null;

const methodsOf = ({ access_token }: Tokens) =>
  (decodeJwt(access_token)["amr"] as { method: string }[]).map(({ method }) => method);

/** Deletes the user after the test, since the address is of no use to anybody. */
async function forget({ user }: Tokens): Promise<void> {
  await target.callAsAdmin("DELETE", `/users/${user.id}`);
}

describe("an address that signs up and is not confirmed", () => {
  test("keeps the password of the first sign-up, also once it is confirmed", async () => {
    const email = newEmail();
    expect((await signUp(email, STRANGERS)).status).toBe(200);
    await signUp(email, OWN);
    const tokens = await openLink("signup", email);
    expect(await signsIn(email, OWN)).toBe(false);
    expect(await signsIn(email, STRANGERS)).toBe(true);
    await forget(tokens);
  });

  test("gets a second mail only after a while, in the words for every limit of mails", async () => {
    const email = newEmail();
    await signUp(email, STRANGERS);
    const again = [
      await signUp(email, OWN),
      await call("POST", "/resend", { type: "signup", email, ...CHALLENGE }),
    ];
    for (const response of again) {
      expect(response.status).toBe(429);
      expect(await response.json()).toMatchObject({ error_code: "over_email_send_rate_limit" });
    }
    await forget(await openLink("signup", email));
  });

  test("is created once by simultaneous sign-ups, of which others may fail with 500", async () => {
    const email = newEmail();
    const responses = await Promise.all([1, 2, 3].map(() => signUp(email, STRANGERS)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 429, 500].includes(status))).toBe(true);
    await forget(await openLink("signup", email));
  });

  test("is confirmed by a link to a new password, too", async () => {
    const email = newEmail();
    await signUp(email, STRANGERS);
    await linkTo(target.findMails, email);
    expect((await call("POST", "/recover", { email, ...CHALLENGE })).status).toBe(200);
    const tokens = await openLink("recovery", email, 2);
    expect(await signsIn(email, STRANGERS)).toBe(true);
    await forget(tokens);
  });
});

describe("the session of a link", () => {
  test("says otp, whatever the link was for, and works once", async () => {
    const [signedUp, invited] = [newEmail(), newEmail()];
    await signUp(signedUp, STRANGERS);
    const { tokenHash } = await linkTo(target.findMails, signedUp);
    const tokens = (await (await open("signup", tokenHash)).json()) as Tokens;
    expect(methodsOf(tokens)).toEqual(["otp"]);
    const again = await open("signup", tokenHash);
    expect(again.status).toBe(403);
    expect(await again.json()).toMatchObject({ error_code: "otp_expired" });

    const response = await open("invite", await invite(invited));
    const welcome = (await response.json()) as Tokens;
    expect(methodsOf(welcome)).toEqual(["otp"]);

    const member = await target.createUser();
    await call("POST", "/recover", { email: member.email, ...CHALLENGE });
    expect(methodsOf(await openLink("recovery", member.email))).toEqual(["otp"]);
    await Promise.all([forget(tokens), forget(welcome)]);
  });

  test("replaces the password without the current one, twice, and ends the other sessions", async () => {
    const email = newEmail();
    await signUp(email, STRANGERS);
    const tokens = await openLink("signup", email);
    const stranger = newAuthClient(target);
    await stranger.signInWithPassword({ email, password: STRANGERS });
    expect((await setPassword(tokens.access_token, "A1! random")).status).toBe(200);
    expect((await stranger.getUser()).error).not.toBeNull();
    const same = await setPassword(tokens.access_token, "A1! random");
    expect(await same.json()).toMatchObject({ error_code: "same_password" });
    expect((await setPassword(tokens.access_token, OWN)).status).toBe(200);
    expect([await signsIn(email, STRANGERS), await signsIn(email, OWN)]).toEqual([false, true]);
    await forget(tokens);
  });

  test("leaves a trace at the user until a password is set: the time of the mail", async () => {
    const email = newEmail();
    await signUp(email, STRANGERS);
    const tokens = await openLink("signup", email);
    const read = async () => {
      const answer = await newAuthClient(target).signInWithPassword({ email, password: OWN });
      return answer.data.user;
    };
    expect(tokens.user.confirmation_sent_at).toBeTypeOf("string");
    await setPassword(tokens.access_token, OWN);
    expect(await read()).toMatchObject({ email_confirmed_at: expect.any(String) });
    expect(await read()).not.toHaveProperty("confirmation_sent_at", expect.any(String));
    await forget(tokens);
  });

  test("of a person whom an administrator created has no such trace", async () => {
    const { email, password } = await target.createUser();
    const { data } = await newAuthClient(target).signInWithPassword({ email, password });
    expect(data.user).not.toHaveProperty("confirmation_sent_at", expect.any(String));
  });
});

describe("a person has one link to confirm the address", () => {
  test("so that an invitation ends when a sign-up with the address sends a mail", async () => {
    const email = newEmail();
    const invitation = await invite(email);
    // Making an invitation counts as a mail, so that a sign-up sends none right afterwards.
    const { status } = await signUp(email, STRANGERS);
    const invited = await open("invite", invitation);
    expect([status, invited.status]).toEqual(status === 429 ? [429, 200] : [200, 403]);
    await forget(
      status === 429 ? ((await invited.json()) as Tokens) : await openLink("signup", email),
    );
  });

  test("so that an invitation ends the link of a sign-up, but not its password", async () => {
    const email = newEmail();
    await signUp(email, STRANGERS);
    const { tokenHash } = await linkTo(target.findMails, email);
    const invitation = await invite(email);
    expect((await open("signup", tokenHash)).status).toBe(403);
    const tokens = (await (await open("invite", invitation)).json()) as Tokens;
    expect(await signsIn(email, STRANGERS)).toBe(true);
    await forget(tokens);
  });
});

test("a mail asked for with a challenge has a token for a code", async () => {
  const email = newEmail();
  await signUp(email, STRANGERS);
  const { tokenHash } = await linkTo(target.findMails, email);
  expect(tokenHash).toMatch(/^pkce_/);
  await forget(await openLink("signup", email));
});

test("an invitation may return to any port of this machine, but not to another site", async () => {
  const returnOf = async (redirect_to: string) => {
    const email = newEmail();
    const body = { type: "invite", email, redirect_to };
    const response = await target.callAsAdmin("POST", "/generate_link", body);
    const answer = (await response.json()) as { id: string; redirect_to: string };
    await target.callAsAdmin("DELETE", `/users/${answer.id}`);
    return answer.redirect_to;
  };
  for (const address of ["http://127.0.0.1:59999/x", "http://127.0.0.9:1/y"])
    expect(await returnOf(address)).toBe(address);
  expect(await returnOf("https://evil.example/")).not.toContain("evil.example");
});

test("the settings say whether addresses are confirmed by mail", async () => {
  expect(await (await call("GET", "/settings")).json()).toMatchObject({
    mailer_autoconfirm: false,
    disable_signup: expect.any(Boolean),
    external: expect.objectContaining({ email: true, phone: false }),
  });
});
