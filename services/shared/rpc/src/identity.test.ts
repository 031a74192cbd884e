import { ManualClock } from "@nutrition/core/clock";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { SignJWT, exportJWK, generateKeyPair, importJWK } from "jose";
import type { JWTPayload } from "jose";
import { describe, expect, it } from "vitest";

import type { Forwarding } from "./access.ts";
import { IdentityIssuer, IdentityVerifier } from "./identity.ts";
import { testIdentity } from "./testing.ts";
import type { ServiceName } from "./testing.ts";

const USER: UserIdentity = {
  accountId: "0191d0a0-0000-7000-8000-000000000001",
  credentialKind: "connector",
  credentialId: "client 1",
  scopes: ["service.read", "nutrition.write"],
};
const FORWARDING: Forwarding = { by: "journal", to: ["limits", "analysis"] };
const REFUSED = { kind: "unauthenticated", reason: "INVALID_STATEMENT" };
const EXPIRED = { kind: "unavailable", reason: "TOKEN_EXPIRED" };

async function setup() {
  const identity = await testIdentity();
  const clock = new ManualClock("2026-03-01T12:00:00Z");
  const issuer = (service: ServiceName) =>
    new IdentityIssuer({ service, privateKey: identity.privateKey(service), clock });
  const verifier = (service: ServiceName) =>
    new IdentityVerifier({ service, trustedKeys: identity.trustedKeys, clock });
  /** Signs any claims, as an attacker with `signer`'s key could. */
  const forge = async (
    signer: ServiceName,
    claims: JWTPayload,
    header: { typ: string; kid: string; alg?: string },
  ) => {
    const nowS = clock.now().getTime() / 1_000;
    return new SignJWT({ iat: nowS, exp: nowS + 60, ...claims })
      .setProtectedHeader({ alg: "EdDSA", ...header })
      .sign(await importJWK(identity.privateKey(signer), "EdDSA"));
  };
  return { identity, clock, issuer, verifier, forge };
}

describe("a service token", () => {
  it("names one service and is refused by every other", async () => {
    const { issuer, verifier } = await setup();
    const proof = await issuer("gateway").serviceToken("journal");
    expect(await verifier("journal").verifyServiceToken(proof)).toMatchObject({
      service: "gateway",
    });
    for (const other of ["auth", "limits", "analysis"] as const) {
      await expect(verifier(other).verifyServiceToken(proof)).rejects.toMatchObject(REFUSED);
    }
  });

  it("is refused by each of the services when it names several", async () => {
    const { verifier, forge } = await setup();
    const header = { typ: "service-proof+jwt", kid: "gateway" };
    const proof = await forge("gateway", { iss: "gateway", aud: ["limits", "auth"] }, header);
    await expect(verifier("limits").verifyServiceToken(proof)).rejects.toMatchObject(REFUSED);
  });

  it("is reused for 30 s and refused once expired, even where it was verified before", async () => {
    const { issuer, verifier, clock } = await setup();
    const [gateway, journal] = [issuer("gateway"), verifier("journal")];
    const proof = await gateway.serviceToken("journal");
    await journal.verifyServiceToken(proof);
    clock.advance(29_000);
    expect(await gateway.serviceToken("journal")).toBe(proof);
    clock.advance(2_000);
    expect(await gateway.serviceToken("journal")).not.toBe(proof);
    clock.advance(40_000);
    await expect(journal.verifyServiceToken(proof)).rejects.toMatchObject(EXPIRED);
  });

  it.each([-120_000, 600_000])(
    "is issued anew when the clock steps by %i ms, and the old one is refused even where it was verified",
    async (ms) => {
      const { issuer, verifier, clock } = await setup();
      const [gateway, journal] = [issuer("gateway"), verifier("journal")];
      const proof = await gateway.serviceToken("journal");
      await journal.verifyServiceToken(proof);
      clock.step(ms);
      await expect(journal.verifyServiceToken(proof)).rejects.toMatchObject(EXPIRED);
      await journal.verifyServiceToken(await gateway.serviceToken("journal"));
    },
  );

  it("stays valid for the same time, once verified, whatever the clock shows", async () => {
    const { issuer, verifier, clock } = await setup();
    const journal = verifier("journal");
    const proof = await journal.verifyServiceToken(await issuer("gateway").serviceToken("journal"));
    for (const ms of [600_000, -720_000]) {
      clock.step(ms);
      expect(journal.remainingMs(proof)).toBe(65_000);
    }
    clock.advance(65_001);
    expect(journal.hasEnded(proof)).toBe(true);
  });

  it("is refused when another service signed it, when it lives too long, and when it is not a token", async () => {
    const { verifier, forge, identity } = await setup();
    const claims = { iss: "gateway", aud: "limits" };
    const header = { typ: "service-proof+jwt", kid: "gateway" };
    const limits = verifier("limits");
    const exp = Date.parse("2026-03-01T13:00:00Z") / 1_000;
    await expect(
      limits.verifyServiceToken(await forge("gateway", claims, header)),
    ).resolves.toBeDefined();
    const forged = [
      await forge("journal", claims, header),
      await forge("journal", claims, { ...header, kid: "journal" }),
      await forge("gateway", claims, { ...header, kid: "nobody" }),
      await forge("gateway", { ...claims, exp }, header),
      await forge("gateway", claims, { ...header, typ: "JWT" }),
      await new SignJWT({ ...claims, iat: exp - 3_600, exp: exp - 3_540 })
        .setProtectedHeader({ ...header, alg: "HS256" })
        .sign(Buffer.from(identity.privateKey("gateway").x ?? "", "base64url")),
      "a.b.c",
      "",
      `${await forge("gateway", claims, header)}${"=".repeat(5_000)}`,
    ];
    for (const token of forged) {
      await expect(limits.verifyServiceToken(token)).rejects.toMatchObject(REFUSED);
    }
  });
});

describe("an assertion of a user", () => {
  it("names the user that the gateway authenticated, when the journal presents it to its callees", async () => {
    const { issuer, verifier } = await setup();
    const assertion = await issuer("gateway").userAssertion(USER, FORWARDING);
    for (const callee of ["limits", "analysis"] as const) {
      expect(await verifier(callee).verifyUserAssertion(assertion, "journal")).toEqual(USER);
    }
    await expect(verifier("auth").verifyUserAssertion(assertion, "journal")).rejects.toMatchObject(
      REFUSED,
    );
  });

  it("is refused from any service that it was not issued to", async () => {
    const { issuer, verifier } = await setup();
    const assertion = await issuer("gateway").userAssertion(USER, FORWARDING);
    for (const presenter of ["limits", "analysis", "gateway", "auth"]) {
      await expect(
        verifier("analysis").verifyUserAssertion(assertion, presenter),
      ).rejects.toMatchObject(REFUSED);
    }
  });

  it("is refused as a service token, and a service token as an assertion", async () => {
    const { issuer, verifier, forge } = await setup();
    const limits = verifier("limits");
    const assertion = await issuer("gateway").userAssertion(USER, {
      by: "journal",
      to: ["limits"],
    });
    await expect(limits.verifyServiceToken(assertion)).rejects.toMatchObject(REFUSED);
    const proof = await forge(
      "gateway",
      { iss: "gateway", aud: "limits", sub: USER.accountId, may_act: { sub: "journal" } },
      { typ: "service-proof+jwt", kid: "gateway" },
    );
    await expect(limits.verifyUserAssertion(proof, "journal")).rejects.toMatchObject(REFUSED);
  });

  it("is accepted only from a service that may assert users", async () => {
    const { issuer, verifier } = await setup();
    for (const service of ["journal", "limits", "auth"] as const) {
      const assertion = await issuer(service).userAssertion(USER, FORWARDING);
      await expect(
        verifier("analysis").verifyUserAssertion(assertion, "journal"),
      ).rejects.toMatchObject(REFUSED);
    }
  });

  it("is refused once expired", async () => {
    const { issuer, verifier, clock } = await setup();
    const assertion = await issuer("gateway").userAssertion(USER, FORWARDING);
    const limits = verifier("limits");
    await limits.verifyUserAssertion(assertion, "journal");
    clock.advance(66_000);
    await expect(limits.verifyUserAssertion(assertion, "journal")).rejects.toMatchObject(EXPIRED);
  });

  it("differs for another user and for other permissions", async () => {
    const { issuer } = await setup();
    const gateway = issuer("gateway");
    const users = [USER, { ...USER, scopes: ["service.read"] }, { ...USER, accountId: "other" }];
    const tokens = await Promise.all(users.map((user) => gateway.userAssertion(user, FORWARDING)));
    expect(new Set(tokens).size).toBe(3);
  });
});

describe("a service with several keys", () => {
  it("is accepted with each trusted key, and with no other", async () => {
    const { identity, verifier: _, clock } = await setup();
    const pairs = await Promise.all([keyPair("gateway-2"), keyPair("gateway-3")]);
    const [second, third] = pairs.map(({ privateKey }) => privateKey);
    const keys = [...identity.trustedKeys.keys, { ...pairs[0]!.publicKey, service: "gateway" }];
    const journal = new IdentityVerifier({ service: "journal", trustedKeys: { keys }, clock });
    const proofBy = (privateKey: object) =>
      new IdentityIssuer({ service: "gateway", privateKey, clock }).serviceToken("journal");
    for (const key of [identity.privateKey("gateway"), second!]) {
      const { service } = await journal.verifyServiceToken(await proofBy(key));
      expect(service).toBe("gateway");
    }
    await expect(journal.verifyServiceToken(await proofBy(third!))).rejects.toMatchObject(REFUSED);
  });

  it("cannot share a kid with another service", async () => {
    const { identity } = await setup();
    const { keys } = identity.trustedKeys;
    const twice = { keys: [...keys, { ...keys[0]!, service: "web" }] };
    expect(() => new IdentityVerifier({ service: "auth", trustedKeys: twice })).toThrow(
      "the kid gateway",
    );
  });
});

async function keyPair(kid: string) {
  const pair = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  return {
    privateKey: { ...(await exportJWK(pair.privateKey)), kid },
    publicKey: { ...(await exportJWK(pair.publicKey)), kid },
  };
}
