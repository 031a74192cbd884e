import { systemClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import type { RunningIdentity } from "@nutrition/test-support/identity-provider";
import { startIdentity } from "@nutrition/test-support/identity-provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { IdentityProvider, SignedIn } from "../src/identity-provider/identity-provider.ts";
import { SupabaseAuth } from "../src/identity-provider/supabase/supabase-auth.ts";

const SITE = "http://127.0.0.1:9";
const ADA = { email: "ada@example.com", password: "correct horse battery", name: "Ada" };
const EVE = { ...ADA, email: "eve@example.com", name: "Eve" };
const TRIP = {
  redirectTo: `${SITE}/oauth/callback?state=s`,
  codeChallenge: "c".repeat(43),
  clientAddress: undefined,
};
const UNKNOWN_ID = "0".repeat(36);

/** All adapters, each with a function that opens it on a provider. The tests below hold for each. */
const ADAPTERS: Record<string, (issuer: string) => IdentityProvider & Disposable> = {
  "Supabase Auth": (issuer) =>
    new SupabaseAuth({
      authUrl: issuer,
      callUrl: issuer,
      apiKey: undefined,
      audience: "authenticated",
      clock: systemClock,
      logger: silentLogger,
    }),
};

describe.each(Object.entries(ADAPTERS))("the adapter of %s", (_name, open) => {
  let running: RunningIdentity;
  let provider: IdentityProvider & Disposable;

  beforeAll(async () => {
    const users = [
      { ...ADA, emailVerified: true },
      { ...EVE, emailVerified: false },
    ];
    const config = { host: "127.0.0.1", port: 0, siteUrl: SITE, allowedRedirects: [], users };
    running = await startIdentity(config, { logger: silentLogger });
    provider = open(running.issuer);
  });
  afterAll(async () => {
    provider[Symbol.dispose]();
    await running[Symbol.asyncDispose]();
  });

  async function signIn(): Promise<SignedIn> {
    const answer = await provider.signInWithPassword(ADA, undefined);
    if (answer.kind !== "signed_in") throw new Error(`Refused: ${answer.reason}`);
    return answer;
  }

  test("signs in with a verified session, and returns the person's identity and sign-in method", async () => {
    const { session, identity } = await signIn();
    expect(identity).toMatchObject({
      issuer: running.issuer,
      subject: session.subject,
      email: ADA.email,
      isEmailConfirmed: true,
      name: ADA.name,
      authenticationMethods: ["password"],
    });
    expect(provider.authenticationMethodsOf(session.accessToken)).toEqual(["password"]);
    expect(provider.authenticationMethodsOf("no token")).toEqual([]);
    expect(session.accessExpiresAt).toBeGreaterThan(Date.now() / 1_000);
  });

  test("refuses a wrong password and an unknown address with the same message", async () => {
    const refused = { kind: "refused", reason: "wrong_credentials" };
    const stranger = { email: "nobody@example.com", password: ADA.password };
    expect(await provider.signInWithPassword({ ...ADA, password: "no" }, undefined)).toEqual(
      refused,
    );
    expect(await provider.signInWithPassword(stranger, undefined)).toEqual(refused);
  });

  test("tells the person who has not confirmed their address", async () => {
    const answer = await provider.signInWithPassword(EVE, undefined);
    expect(answer).toEqual({ kind: "refused", reason: "email_not_confirmed" });
  });

  test("creates an account to be confirmed, and never reveals who has one or waits for a mail", async () => {
    expect(await provider.confirmsByMail()).toBe(true);
    const email = "new@example.com";
    const made = await provider.signUp({ email }, TRIP);
    const waiting = await provider.signUp({ email }, TRIP);
    const existing = await provider.signUp({ email: ADA.email }, TRIP);
    const confirm = { kind: "confirm" };
    expect([made, waiting, existing]).toEqual([confirm, confirm, confirm]);
  });

  test("replaces the password when a link is opened, and sets another one in that session", async () => {
    const email = "late@example.com";
    const body = JSON.stringify({ email, password: "a stranger's password" });
    await fetch(`${running.issuer}/signup`, { method: "POST", body });
    const { link = "" } = running.inbox.findLast(({ to }) => to === email) ?? {};
    const tokenHash = new URL(link).searchParams.get("token") ?? "";
    const opened = await provider.openMailLink({ type: "signup", tokenHash }, undefined);
    const { session, identity } = opened!;
    expect(identity).toMatchObject({ email, isEmailConfirmed: true, isPasswordUnproven: true });
    const signIn = (password: string) =>
      provider.signInWithPassword({ email, password }, undefined);
    expect(await signIn("a stranger's password")).toMatchObject({ kind: "refused" });
    const change = { password: "the owner's password", clientAddress: undefined };
    const set = () => provider.setPassword(session.accessToken, change);
    expect([await set(), await set()]).toEqual([undefined, undefined]);
    expect(await signIn(change.password)).toMatchObject({
      identity: { isPasswordUnproven: false },
    });
    const weak = { password: "1", clientAddress: undefined };
    expect(await provider.setPassword(session.accessToken, weak)).toBe("weak_password");
    expect(await provider.setPassword("no token", change)).toBe("session_ended");
    expect(await provider.openMailLink({ type: "signup", tokenHash }, undefined)).toBeUndefined();
  });

  test("refuses a weak password and a malformed address, each with its own reason", async () => {
    const weak = await provider.signUp({ email: "weak@example.com", password: "1" }, TRIP);
    const malformed = await provider.signUp({ email: "nowhere", password: ADA.password }, TRIP);
    expect(weak).toEqual({ kind: "refused", reason: "weak_password" });
    expect(malformed).toEqual({ kind: "refused", reason: "address_malformed" });
  });

  test("refuses a code that it has not issued", async () => {
    const code = { code: UNKNOWN_ID, verifier: "v".repeat(43) };
    expect(await provider.exchangeCode(code, undefined)).toBeUndefined();
  });

  test("renews a session of the same person until it has been ended", async () => {
    const { session } = await signIn();
    const renewed = await provider.renewSession(session, undefined);
    expect(renewed).toMatchObject({ subject: session.subject });
    await provider.endSession(renewed!.accessToken);
    await provider.endSession(renewed!.accessToken);
    expect(await provider.renewSession(renewed!, undefined)).toBeUndefined();
  });

  test("says why an authorization request cannot be processed", async () => {
    const { accessToken } = (await signIn()).session;
    expect(await provider.inspectAuthorization(accessToken, UNKNOWN_ID)).toEqual({ kind: "gone" });
    const decision = { id: UNKNOWN_ID, action: "approve" } as const;
    expect(await provider.decideAuthorization(accessToken, decision)).toEqual({ kind: "gone" });
    expect(await provider.inspectAuthorization("no token", UNKNOWN_ID)).toEqual({
      kind: "signed_out",
    });
  });

  test("deleting an approval that was never given succeeds, and fails without a session", async () => {
    const { accessToken } = (await signIn()).session;
    expect(await provider.listApprovedClients(accessToken)).toEqual([]);
    expect(await provider.deleteApproval(accessToken, UNKNOWN_ID)).toBe(true);
    expect(await provider.listApprovedClients("no token")).toBeUndefined();
    expect(await provider.deleteApproval("no token", UNKNOWN_ID)).toBe(false);
  });

  test("fails as unavailable with every method if the provider does not answer", async () => {
    using away = open("http://127.0.0.1:1/auth/v1");
    const session = { subject: "s", accessToken: "a", refreshToken: "r", accessExpiresAt: 0 };
    const asked = [
      away.signInWithPassword(ADA, undefined),
      away.exchangeCode({ code: "c", verifier: "v" }, undefined),
      away.openMailLink({ code: "c", verifier: "v" }, undefined),
      away.confirmsByMail(),
      away.signUp(ADA, TRIP),
      away.requestRecovery(ADA.email, TRIP),
      away.setPassword("a", { password: "p", clientAddress: undefined }),
      away.renewSession(session, undefined),
      away.endSession("a"),
      away.inspectAuthorization("a", "1"),
      away.decideAuthorization("a", { id: "1", action: "deny" }),
      away.listApprovedClients("a"),
      away.deleteApproval("a", "c"),
    ];
    const outcomes = await Promise.allSettled(asked);
    const failure = { kind: "unavailable", reason: "IDENTITY_PROVIDER_UNAVAILABLE" };
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: "rejected", reason: failure });
    }
  });
});
