/**
 * Shows what each setting of the provider prevents: without it, the corresponding attack succeeds.
 */
import { ManualClock } from "@nutrition/core/clock";
import { afterEach, describe, expect, test } from "vitest";

import type { SecuritySettings } from "../src/domain/security-settings.ts";
import type { RunningIdentity } from "../src/service.ts";
import { startIdentity } from "../src/service.ts";
import { Assistant, redirectOf } from "./assistant.ts";
import type { Target } from "./target.ts";
import { newAuthClient, PASSWORD, signIn, targetOf, testConfig, tokenOf, USERS } from "./target.ts";

const DAY_MS = 24 * 3_600_000;
const CHOSEN = "chosen by the assistant";
const clock = new ManualClock(new Date());

let identity: RunningIdentity;
let target: Target;
afterEach(() => identity[Symbol.asyncDispose]());

async function start(security: Partial<SecuritySettings>) {
  identity = await startIdentity(testConfig({ security, users: structuredClone(USERS) }), {
    clock,
  });
  target = targetOf(identity);
}

async function update(token: string, body: unknown): Promise<string> {
  const response = await fetch(`${target.issuer}/user`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { error_code?: string };
  return answer.error_code ?? "changed";
}

const canSignIn = async (email: string, password: string) =>
  (await newAuthClient(target).signInWithPassword({ email, password })).error === null;

const mailsTo = (email: string) => identity.inbox.filter(({ to }) => to === email);

/** A person who has only signed in with a third party and has no password. */
async function signInElsewhere(email: string) {
  const auth = newAuthClient(target);
  const { data } = await auth.signInWithOAuth({
    provider: "google",
    options: { skipBrowserRedirect: true },
  });
  const page = await redirectOf(data.url ?? "");
  const flow = page.searchParams.get("flow") ?? "";
  const body = new URLSearchParams({ flow, email });
  const back = await redirectOf(page, { method: "POST", body });
  await auth.exchangeCodeForSession(back.searchParams.get("code") ?? "");
  return auth;
}

async function assistantTokenOf(person: Awaited<ReturnType<typeof signIn>>) {
  const assistant = await Assistant.register(target.issuer);
  return (await assistant.connect(person)).access_token;
}

describe("an assistant that tries to take over the account", () => {
  const ALL_OFF = {
    requireReauthentication: false,
    requireCurrentPassword: false,
    detachClientTokens: false,
  };

  test("succeeds without any of the settings", async () => {
    await start(ALL_OFF);
    const token = await assistantTokenOf(await signIn(target));
    expect(await update(token, { password: CHOSEN })).toBe("changed");
    expect(await canSignIn(target.email, CHOSEN)).toBe(true);
  });

  test("succeeds within 24 hours of the consent when only a recent sign-in is required", async () => {
    await start({ ...ALL_OFF, requireReauthentication: true });
    const token = await assistantTokenOf(await signIn(target));
    expect(await update(token, { password: CHOSEN })).toBe("changed");
  });

  test("succeeds when the person has no password and only the current one is required", async () => {
    await start({ ...ALL_OFF, requireCurrentPassword: true });
    const email = "elsewhere@example.com";
    const token = await assistantTokenOf(await signInElsewhere(email));
    expect(await update(token, { password: CHOSEN })).toBe("changed");
    expect(await canSignIn(email, CHOSEN)).toBe(true);
  });

  test("is stopped by the required current password, if there is one, even without the hook", async () => {
    await start({ detachClientTokens: false });
    const token = await assistantTokenOf(await signIn(target));
    expect(await update(token, { password: CHOSEN })).toBe("current_password_required");
  });

  test("is stopped by the hook alone, whether or not the person has a password", async () => {
    await start({ ...ALL_OFF, detachClientTokens: true });
    const people = [await signIn(target), await signInElsewhere("elsewhere@example.com")];
    for (const person of people) {
      const token = await assistantTokenOf(person);
      expect(await update(token, { password: CHOSEN })).toBe("session_not_found");
    }
  });
});

describe("a password", () => {
  test("changes with the current one, which ends the other sessions", async () => {
    await start({});
    const [here, elsewhere] = [await signIn(target), await signIn(target)];
    const body = { password: "a new password", current_password: PASSWORD };
    expect(await update(await tokenOf(here), body)).toBe("changed");
    expect((await here.getUser()).error).toBeNull();
    expect((await elsewhere.getUser()).error).not.toBeNull();
    expect(await canSignIn(target.email, PASSWORD)).toBe(false);
  });

  test("can be set without the current one after a mail's link", async () => {
    await start({});
    const auth = newAuthClient(target);
    await auth.resetPasswordForEmail(target.email);
    const back = await redirectOf(mailsTo(target.email).at(-1)?.link ?? "");
    await auth.exchangeCodeForSession(back.searchParams.get("code") ?? "");
    expect(await update(await tokenOf(auth), { password: "a new password" })).toBe("changed");
  });

  test("can be changed in a session older than 24 hours with the code of a mail, once", async () => {
    await start({ requireCurrentPassword: false });
    const person = await signIn(target);
    clock.advance(DAY_MS + 1_000);
    await person.refreshSession();
    const token = await tokenOf(person);
    const password = "a new password";
    expect(await update(token, { password })).toBe("reauthentication_needed");
    await person.reauthenticate();
    expect(await update(token, { password, nonce: "none" })).toBe("reauthentication_not_valid");
    const nonce = /\d{6}/.exec(mailsTo(target.email).at(-1)?.text ?? "")?.[0];
    expect(await update(token, { password, nonce })).toBe("changed");
    const again = { password: "yet another password", nonce };
    expect(await update(token, again)).toBe("reauthentication_not_valid");
  });
});

describe("an e-mail address", () => {
  const NEW = "new@example.com";

  async function askAndOpen(address: string, email = NEW) {
    const person = await signIn(target);
    await update(await tokenOf(person), { email });
    return redirectOf(mailsTo(address).at(-1)?.link ?? "");
  }

  test("changes only when the old and the new address have confirmed", async () => {
    await start({});
    const first = await askAndOpen(NEW);
    expect(first.searchParams.get("message")).toContain("the other email");
    expect(await canSignIn(NEW, PASSWORD)).toBe(false);
    await redirectOf(mailsTo(target.email).at(-1)?.link ?? "");
    expect(await canSignIn(NEW, PASSWORD)).toBe(true);
    expect(await canSignIn(target.email, PASSWORD)).toBe(false);
  });

  test("changes with only the new address without the setting, so an account can be lost", async () => {
    await start({ secureEmailChange: false });
    await askAndOpen(NEW);
    expect(await canSignIn(NEW, PASSWORD)).toBe(true);
  });

  test("of another person is refused", async () => {
    await start({});
    const token = await tokenOf(await signIn(target));
    expect(await update(token, { email: USERS[1]?.email })).toBe("email_exists");
  });
});

test("an untrusted forwarded address has no limit", async () => {
  await start({ trustForwardedFor: false });
  for (let index = 0; index < 40; index += 1) {
    const response = await fetch(`${target.issuer}/verify?type=signup&token=none`, {
      headers: { "sb-forwarded-for": "203.0.113.7" },
      redirect: "manual",
    });
    expect(response.status).toBe(303);
  }
});
