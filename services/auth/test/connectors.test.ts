import { randomUUID } from "node:crypto";

import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { sql } from "@nutrition/postgres/sql";
import { CredentialKind, RefusalReason } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Fixture } from "./fixture.ts";
import { CALL, asPerson, someEmail, startFixture } from "./fixture.ts";

const READ = ["service.read"];
const READ_AND_LOG = ["service.read", "nutrition.write"];

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** A signed-in premium person, and a client that nobody else uses. */
async function newPersonWithClient() {
  const claims = {
    issuer: "https://id.example/auth/v1",
    subject: randomUUID(),
    email: someEmail(),
    emailVerified: true,
  };
  const { account, sessionId } = await fixture.web.signIn({ claims }, CALL);
  const accountId = account!.id;
  await fixture.admin.updateAccount({ accountId, hasPremium: true }, CALL);
  const person = asPerson(accountId, sessionId);
  return { claims, accountId, person, clientId: `client-${randomUUID()}` };
}

type Somebody = Awaited<ReturnType<typeof newPersonWithClient>>;

async function consent({ person, clientId }: Somebody, scopes = READ) {
  const request = { clientId, clientName: "Claude", redirectHost: "claude.ai", scopes };
  const { grant } = await fixture.web.putGrant(request, person);
  return grant!;
}

/** The answer for a token of the person's client, issued at that time. */
async function outcomeOf({ claims, clientId }: Somebody, issuedAt: Date) {
  const request = { claims, clientId, issuedAt: timestampFromDate(issuedAt) };
  return (await fixture.gateway.authorizeConnector(request, CALL)).outcome;
}

const refused = (value: RefusalReason) => ({ case: "refusal", value });

/** Whole seconds, as in a token. */
function secondOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / 1_000) * 1_000);
}

test("a token issued after the consent has the granted permissions", async () => {
  const someone = await newPersonWithClient();
  const grant = await consent(someone);
  const issuedAt = secondOf(timestampDate(grant.grantedAt!));
  expect(await outcomeOf(someone, issuedAt)).toMatchObject({
    case: "principal",
    value: {
      accountId: someone.accountId,
      credentialKind: CredentialKind.CONNECTOR,
      credentialId: someone.clientId,
      scopes: READ,
      hasPremium: true,
    },
  });
});

test("a token of a client that was never allowed is refused as not granted", async () => {
  const someone = await newPersonWithClient();
  await consent(someone);
  const other = { ...someone, clientId: "another-client" };
  expect(await outcomeOf(other, new Date())).toEqual(refused(RefusalReason.NOT_GRANTED));
});

test("a token of a stranger is not granted and creates no account", async () => {
  const claims = { issuer: "https://id.example", subject: randomUUID() };
  const request = { claims, clientId: "client", issuedAt: timestampFromDate(new Date()) };
  const { outcome } = await fixture.gateway.authorizeConnector(request, CALL);
  expect(outcome).toEqual(refused(RefusalReason.NOT_GRANTED));
  const rows = await fixture.database.query(sql`
    select from identities where subject = ${claims.subject}
  `);
  expect(rows).toEqual([]);
});

test("a connector's token of an erased account is not granted and does not recreate the account", async () => {
  const someone = await newPersonWithClient();
  const grant = await consent(someone);
  const issuedAt = secondOf(timestampDate(grant.grantedAt!));
  const { accountId, claims } = someone;
  await fixture.admin.eraseAccount({ accountId }, CALL);
  expect(await outcomeOf(someone, issuedAt)).toEqual(refused(RefusalReason.NOT_GRANTED));
  const rows = await fixture.database.query(sql`
    select from identities where subject = ${claims.subject}
  `);
  expect(rows).toEqual([]);
});

test("after an erasure and a new sign-in, neither the old grant nor its tokens work", async () => {
  const someone = await newPersonWithClient();
  const grant = await consent(someone);
  const issuedAt = secondOf(timestampDate(grant.grantedAt!));
  const { accountId, claims } = someone;
  await fixture.admin.eraseAccount({ accountId }, CALL);
  const { account, sessionId } = await fixture.web.signIn({ claims }, CALL);
  await fixture.admin.updateAccount({ accountId: account!.id, hasPremium: true }, CALL);
  expect(await outcomeOf(someone, issuedAt)).toEqual(refused(RefusalReason.NOT_GRANTED));
  const again = { ...someone, person: asPerson(account!.id, sessionId) };
  expect((await fixture.web.listGrants({}, again.person)).grants).toEqual([]);
  const past = new Date(issuedAt.getTime() - 1_000);
  await consent(again);
  expect(await outcomeOf(someone, past)).toEqual(refused(RefusalReason.REVOKED));
});

test("a token issued before the consent is refused as revoked", async () => {
  const someone = await newPersonWithClient();
  const grant = await consent(someone);
  const before = new Date(secondOf(timestampDate(grant.grantedAt!)).getTime() - 1_000);
  expect(await outcomeOf(someone, before)).toEqual(refused(RefusalReason.REVOKED));
});

test("a token issued after the clock was set back is not refused as revoked, but asks to try again", async () => {
  const someone = await newPersonWithClient();
  const { grantedAt } = await consent(someone);
  // A consent two minutes ahead is what the database finds when its clock was set back by as much.
  await fixture.database.query(sql`
    update grants set granted_at = granted_at + interval '2 minutes'
    where client_id = ${someone.clientId}`);
  const issuedAt = secondOf(timestampDate(grantedAt!));
  await expect(outcomeOf(someone, issuedAt)).rejects.toMatchObject({
    kind: "unavailable",
    reason: "GRANT_IN_THE_FUTURE",
    retryAfterMs: 10_000,
  });
});

test("a revoked grant refuses its tokens, and revoking again changes nothing", async () => {
  const someone = await newPersonWithClient();
  await consent(someone);
  const { clientId, person } = someone;
  const first = await fixture.web.revokeGrant({ clientId }, person);
  const second = await fixture.web.revokeGrant({ clientId }, person);
  expect(first.grant!.revokedAt).toBeDefined();
  expect(second.grant).toEqual(first.grant);
  expect(await outcomeOf(someone, new Date())).toEqual(refused(RefusalReason.REVOKED));
});

test("a repeated consent revives no earlier token, not even from the same second", async () => {
  const someone = await newPersonWithClient();
  const first = await consent(someone);
  await fixture.web.revokeGrant({ clientId: someone.clientId }, someone.person);
  const issuedBefore = secondOf(new Date());
  const sleptFrom = fixture.clock.monotonicMs();
  const second = await consent(someone);
  expect(await outcomeOf(someone, issuedBefore)).toEqual(refused(RefusalReason.REVOKED));
  const grantedAt = timestampDate(second.grantedAt!);
  expect(grantedAt).toEqual(secondOf(grantedAt));
  expect(await outcomeOf(someone, grantedAt)).toMatchObject({ case: "principal" });
  // The call returns once the grant is in effect: tokens issued after it work.
  const answeredAt = Date.now() + fixture.clock.monotonicMs() - sleptFrom;
  expect(answeredAt).toBeGreaterThanOrEqual(grantedAt.getTime());
  expect(second.grantedAt).not.toEqual(first.grantedAt);
});

test("a change of permissions applies to issued tokens and keeps granted_at", async () => {
  const someone = await newPersonWithClient();
  const granted = await consent(someone);
  const issuedAt = secondOf(timestampDate(granted.grantedAt!));
  const change = { clientId: someone.clientId, scopes: READ_AND_LOG };
  const { grant } = await fixture.web.updateGrant(change, someone.person);
  expect(grant).toMatchObject({ scopes: READ_AND_LOG, grantedAt: granted.grantedAt });
  expect(await outcomeOf(someone, issuedAt)).toMatchObject({ value: { scopes: READ_AND_LOG } });
});

test("a connector needs premium or beta", async () => {
  const someone = await newPersonWithClient();
  const { accountId } = someone;
  await consent(someone);
  await fixture.admin.updateAccount({ accountId, hasPremium: false }, CALL);
  const now = new Date(Date.now() + 1_000);
  expect(await outcomeOf(someone, now)).toEqual(refused(RefusalReason.PREMIUM_REQUIRED));
  await fixture.admin.updateAccount({ accountId, isBetaTester: true }, CALL);
  expect(await outcomeOf(someone, now)).toMatchObject({ case: "principal" });
});

test("a grant of one person has no effect for another", async () => {
  const [owner, stranger] = [await newPersonWithClient(), await newPersonWithClient()];
  await consent(owner);
  const { clientId } = owner;
  const borrowed = { ...stranger, clientId };
  expect(await outcomeOf(borrowed, new Date())).toEqual(refused(RefusalReason.NOT_GRANTED));
  const { web } = fixture;
  const missing = { reason: "GRANT_NOT_FOUND" };
  const change = { clientId, scopes: READ_AND_LOG };
  await expect(web.updateGrant(change, stranger.person)).rejects.toMatchObject(missing);
  await expect(web.revokeGrant({ clientId }, stranger.person)).rejects.toMatchObject(missing);
  const { accountId } = owner;
  const denied = { reason: "NOT_YOUR_ACCOUNT" };
  await expect(web.listGrants({ accountId }, stranger.person)).rejects.toMatchObject(denied);
  await expect(web.revokeGrant({ accountId, clientId }, stranger.person)).rejects.toMatchObject(
    denied,
  );
  expect((await web.listGrants({}, stranger.person)).grants).toEqual([]);
  expect((await web.listGrants({}, owner.person)).grants).toHaveLength(1);
});

test("lists live grants, newest first, with what the client said about itself", async () => {
  const someone = await newPersonWithClient();
  const later = { ...someone, clientId: `later-${randomUUID()}` };
  const revoked = { ...someone, clientId: `revoked-${randomUUID()}` };
  await consent(someone);
  await consent(later, READ_AND_LOG);
  await consent(revoked);
  await fixture.web.revokeGrant({ clientId: revoked.clientId }, someone.person);
  const { grants } = await fixture.web.listGrants({}, someone.person);
  expect(grants).toMatchObject([
    { clientId: later.clientId, scopes: READ_AND_LOG },
    { clientId: someone.clientId, clientName: "Claude", redirectHost: "claude.ai", scopes: READ },
  ]);
  const { grants: seen } = await fixture.admin.listGrants({ accountId: someone.accountId }, CALL);
  expect(seen).toEqual(grants);
});

test("permissions of a revoked grant cannot be changed", async () => {
  const someone = await newPersonWithClient();
  const { clientId, person } = someone;
  await consent(someone);
  await fixture.web.revokeGrant({ clientId }, person);
  const change = fixture.web.updateGrant({ clientId, scopes: READ }, person);
  await expect(change).rejects.toMatchObject({ kind: "not_found", reason: "GRANT_NOT_FOUND" });
});
