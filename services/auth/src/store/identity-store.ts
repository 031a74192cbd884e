import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

import type { Account } from "../domain/account.ts";
import type { Identity } from "../domain/identity-claims.ts";
import { type AccountRow, toAccount } from "./account-store.ts";

/** A person, and the person's account. */
export interface BoundIdentity extends Identity {
  account: Account;
}

/** The account that an identity is bound to. */
export async function findAccountIdByIdentity(
  db: Queryable,
  { issuer, subject }: Identity,
): Promise<string | undefined> {
  const rows = await db.query<{ account_id: string }>(sql`
    select account_id from identities where issuer = ${issuer} and subject = ${subject}
  `);
  return rows[0]?.account_id;
}

/**
 * Binds an identity to an account. Violates `identities_pkey` when the identity is already bound,
 * and `identities_account_unique` when the account has another identity.
 */
export async function insertIdentity(
  db: Queryable,
  { issuer, subject }: Identity,
  accountId: string,
): Promise<void> {
  await db.query(sql`
    insert into identities (issuer, subject, account_id)
    values (${issuer}, ${subject}, ${accountId})
  `);
}

/** Whether anybody has signed in to the account. */
export async function hasIdentity(db: Queryable, accountId: string): Promise<boolean> {
  const rows = await db.query(sql`select 1 from identities where account_id = ${accountId}`);
  return rows.length > 0;
}

/** Lists up to `limit` identities after the account `afterId`, oldest account first. */
export async function listIdentities(
  db: Queryable,
  page: { afterId: string | null; limit: number },
): Promise<BoundIdentity[]> {
  const rows = await db.query<AccountRow & Identity>(sql`
    select issuer, subject, accounts.*
    from identities join accounts on accounts.id = account_id
    where ${page.afterId}::uuid is null or account_id > ${page.afterId}::uuid
    order by account_id
    limit ${page.limit}
  `);
  return rows.map((row) => ({
    issuer: row.issuer,
    subject: row.subject,
    account: toAccount(row),
  }));
}

/** Removes the subject's identities under these issuers, and returns the accounts that had them. */
export async function deleteIdentitiesTx(
  tx: Transaction,
  subject: string,
  issuers: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ account_id: string }>(sql`
    delete from identities where subject = ${subject} and issuer = any(${issuers}::text[])
    returning account_id
  `);
  return rows.map((row) => row.account_id);
}
