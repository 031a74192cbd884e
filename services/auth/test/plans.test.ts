import { randomUUID } from "node:crypto";

import { newId } from "@nutrition/core/ids";
import { sql } from "@nutrition/postgres/sql";
import { ExplainingDatabase } from "@nutrition/postgres/testing-plans";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { endLapsedSessions } from "../src/operations/end-lapsed-sessions.ts";
import { forgetExpiredKeys } from "../src/operations/forget-expired-keys.ts";
import { forgetOldMails } from "../src/operations/mails.ts";
import {
  findAccountByEmail,
  listAccounts,
  updateMissingEmail,
} from "../src/store/account-store.ts";
import { listChangedKeys } from "../src/store/changed-key-store.ts";
import { findConnectorCredential, findKeyCredentials } from "../src/store/credential-store.ts";
import { updateGrantsLastUse, updateKeysLastUse } from "../src/store/last-use-store.ts";
import { eraseOldSealedSessions } from "../src/store/upstream-deletion-store.ts";
import type { Fixture } from "./fixture.ts";
import { CALL, makeAccount, makeKey, startFixture } from "./fixture.ts";

const PEOPLE = 5_000;
/** Of one account, and those that its calls look up: far fewer than there are people. */
const ROWS_MAX = 60;

let fixture: Fixture;
let database: ExplainingDatabase;
beforeAll(async () => {
  const openDatabase = (url: string) =>
    (database = new ExplainingDatabase({ url, schema: "auth", keptPlans: true }));
  fixture = await startFixture({ openDatabase });
  for (const insert of MANY_PEOPLE) await fixture.database.query(insert);
  await fixture.database.query(sql`analyze`);
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  database.explained = [];
});

const MANY_PEOPLE = [
  sql`insert into accounts (id, email)
    select uuidv7(), 'many-' || n || '@example.com' from generate_series(1, ${PEOPLE}::int) n`,
  sql`insert into identities (issuer, subject, account_id) select 'https://id', email, id from accounts`,
  sql`insert into api_keys
      (id, account_id, public_id, prefix, hash, pepper_version, scopes, slot, signing_version)
    select uuidv7(), id, id::text, 'service_live_', sha256(email::bytea), 1, '{service.read}', 1, 1
    from accounts`,
  sql`insert into changed_keys (key_tail, text_expires_at)
    select substring(uuid_send(id) from 11), now() + interval '1 day' from accounts`,
  sql`insert into grants (id, account_id, client_id, client_name, redirect_host, scopes, granted_at)
    select uuidv7(), id, 'client', 'Client', 'host', '{service.read}', now() from accounts`,
  sql`insert into upstream_deletions (id, account_id, client_id, due_at, created_at)
    select uuidv7(), account_id, client_id, now(), now() from grants`,
  // Sent ones, of the last two days.
  sql`insert into mails (id, account_id, kind, due_at, created_at)
    select uuidv7(), id, 'invitation', now(), now() from accounts`,
  sql`insert into sessions (id, account_id, signed_in_at, last_seen_at)
    select uuidv7(), id, now(), now() from accounts`,
  sql`insert into sign_in_methods (account_id, method, first_seen_at)
    select id, 'password', now() from accounts`,
];

/** Throws when a statement so far read the rows of many people. */
function expectFewRows(): void {
  expect(database.explained).not.toEqual([]);
  for (const { rows, scanned, statement } of database.explained) {
    // The metrics count everybody once a minute, if metrics are on, which they are not.
    expect(scanned, `tables read as a whole by ${statement}`).toEqual([]);
    const read = Math.max(0, ...Object.values(rows));
    expect(read, `rows read by ${statement}`).toBeLessThanOrEqual(ROWS_MAX);
  }
}

test("a key, a token and their last uses are looked up by index among many people's", async () => {
  const accountId = await makeAccount(fixture);
  const { id, apiKey } = await makeKey(fixture, accountId);
  await fixture.gateway.authenticate({ apiKey }, CALL);
  await findKeyCredentials(database, [randomUUID(), randomUUID()]);
  await findConnectorCredential(database, { issuer: "https://id", subject: "x" }, "client");
  const use = { id, usedAt: new Date(), ipHash: null };
  await updateKeysLastUse(database, [use]);
  await updateGrantsLastUse(database, [{ ...use, id: newId() }]);
  expectFewRows();
});

test("signing in, a person's settings and the operator's lists read few rows among many people's", async () => {
  const claims = {
    issuer: "https://id",
    subject: "new",
    email: "new@example.com",
    emailVerified: true,
  };
  const { account } = await fixture.web.signIn({ claims, replacedSessionId: "" }, CALL);
  await fixture.admin.getAccount({ selector: { case: "accountId", value: account!.id } }, CALL);
  await findAccountByEmail(database, "many-7@example.com");
  await updateMissingEmail(database, account!.id, "other@example.com");
  await listAccounts(database, { afterId: newId(), limit: 50 });
  await fixture.web.takeUpstreamDeletions({}, CALL);
  await fixture.web.takeMails({}, CALL);
  expectFewRows();
});

test("the clean-up reads no rows of people whose sessions live", async () => {
  await endLapsedSessions(database);
  await eraseOldSealedSessions(database);
  await forgetOldMails(database);
  await forgetExpiredKeys(database);
  expectFewRows();
});

test("a page of changed keys reads no other page", async () => {
  await listChangedKeys(database, "", 20);
  expectFewRows();
});

test("erasing an account reads few rows of others", async () => {
  const accountId = await makeAccount(fixture);
  await makeKey(fixture, accountId);
  database.explained = [];
  await fixture.admin.eraseAccount({ accountId }, CALL);
  expectFewRows();
});
