import { ManualClock } from "@nutrition/core/clock";
import { SignJWT, importJWK } from "jose";
import { describe, expect, it } from "vitest";

import type { UserIdentity } from "./context.ts";
import { IdentityIssuer, IdentityVerifier } from "./identity.ts";
import { testIdentity } from "./testing.ts";

const USER: UserIdentity = {
  accountId: "0191d0a0-0000-7000-8000-000000000001",
  credentialKind: "connector",
  credentialId: "client 1",
  scopes: ["service.read", "nutrition.write"],
};
const REFUSED = { kind: "unauthenticated" };

async function setup() {
  const identity = await testIdentity();
  const clock = new ManualClock("2026-03-01T12:00:00Z");
  const issuer = new IdentityIssuer({
    service: "gateway",
    privateKey: identity.privateKey("gateway"),
    audiences: ["journal", "limits"],
    clock,
  });
  const verifier = (service: string) =>
    new IdentityVerifier({ service, trustedKeys: identity.trustedKeys, clock });
  return { identity, clock, issuer, verifier };
}

describe("an identity statement", () => {
  it("says who calls and for whom, to its audience only", async () => {
    const { issuer, verifier } = await setup();
    const token = await issuer.statement(USER);
    expect(await verifier("journal").verify(token)).toMatchObject({
      service: "gateway",
      user: USER,
    });
    await expect(verifier("auth").verify(token)).rejects.toMatchObject(REFUSED);
  });

  it("is reused for 15 s and refused when it has expired, also where it was verified before", async () => {
    const { issuer, verifier, clock } = await setup();
    const journal = verifier("journal");
    const token = await issuer.statement(USER);
    await journal.verify(token);
    clock.advance(14_000);
    expect(await issuer.statement(USER)).toBe(token);
    clock.advance(2_000);
    expect(await issuer.statement(USER)).not.toBe(token);
    clock.advance(20_000);
    await expect(journal.verify(token)).rejects.toMatchObject(REFUSED);
  });

  it("is different for another user and for other permissions", async () => {
    const { issuer } = await setup();
    const tokens = await Promise.all([
      issuer.statement(),
      issuer.statement(USER),
      issuer.statement({ ...USER, scopes: ["service.read"] }),
      issuer.statement({ ...USER, accountId: "0191d0a0-0000-7000-8000-000000000002" }),
    ]);
    expect(new Set(tokens).size).toBe(4);
  });

  it("is refused when it was signed by another service's key or lives longer than 30 s", async () => {
    const { identity, clock, verifier } = await setup();
    const nowS = clock.now().getTime() / 1_000;
    const sign = async (signer: "gateway" | "journal", lifetimeS: number) =>
      new SignJWT({})
        .setProtectedHeader({ alg: "EdDSA", kid: "gateway" })
        .setIssuer("gateway")
        .setAudience("limits")
        .setIssuedAt(nowS)
        .setExpirationTime(nowS + lifetimeS)
        .sign(await importJWK(identity.privateKey(signer), "EdDSA"));
    const limits = verifier("limits");
    await expect(limits.verify(await sign("gateway", 30))).resolves.toBeDefined();
    await expect(limits.verify(await sign("journal", 30))).rejects.toMatchObject(REFUSED);
    await expect(limits.verify(await sign("gateway", 3_600))).rejects.toMatchObject(REFUSED);
    await expect(limits.verify("a.b.c")).rejects.toMatchObject(REFUSED);
  });
});
