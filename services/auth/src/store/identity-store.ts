import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

import type { Identity } from "../domain/identity-claims.ts";

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
