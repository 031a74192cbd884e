import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { prepared, sql } from "@nutrition/postgres/sql";

import type { Account } from "../domain/account.ts";

/** A row of `accounts`. */
export interface AccountRow {
  id: string;
  email: string | null;
  name: string | null;
  avatar_url: string | null;
  has_premium: boolean;
  is_beta_tester: boolean;
  created_at: Date;
  updated_at: Date;
}

export function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    avatarUrl: row.avatar_url,
    hasPremium: row.has_premium,
    isBetaTester: row.is_beta_tester,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Inserts an account. A taken address violates `accounts_email_unique`. */
export async function insertAccount(
  db: Queryable,
  account: Pick<Account, "id" | "email" | "name" | "avatarUrl" | "hasPremium" | "isBetaTester">,
): Promise<Account> {
  const { id, email, name, avatarUrl, hasPremium, isBetaTester } = account;
  const rows = await db.query<AccountRow>(sql`
    insert into accounts (id, email, name, avatar_url, has_premium, is_beta_tester)
    values (${id}, ${email}, ${name}, ${avatarUrl}, ${hasPremium}, ${isBetaTester})
    returning *
  `);
  return toAccount(rows[0]!);
}

export async function findAccountById(db: Queryable, id: string): Promise<Account | undefined> {
  const rows = await db.query<AccountRow>(sql`select * from accounts where id = ${id}`);
  return rows[0] && toAccount(rows[0]);
}

/** Compares without case. */
export async function findAccountByEmail(
  db: Queryable,
  email: string,
): Promise<Account | undefined> {
  const rows = await db.query<AccountRow>(sql`
    select * from accounts where lower(email) = lower(${email})
  `);
  return rows[0] && toAccount(rows[0]);
}

/** Lists up to `limit` accounts after the id `afterId`, oldest first. */
export async function listAccounts(
  db: Queryable,
  page: { afterId: string | null; limit: number },
): Promise<Account[]> {
  // Ids are time-ordered, so they serve as sort key and page token.
  const rows = await db.query<AccountRow>(sql`
    select * from accounts
    where ${page.afterId}::uuid is null or id > ${page.afterId}::uuid
    order by id
    limit ${page.limit}
  `);
  return rows.map(toAccount);
}

/** New values; undefined leaves a value unchanged, and a null name clears it. */
export interface AccountChanges {
  email?: string | undefined;
  name?: string | null | undefined;
  hasPremium?: boolean | undefined;
  isBetaTester?: boolean | undefined;
}

/** Returns the changed account; undefined when there is none. */
export async function updateAccount(
  db: Queryable,
  id: string,
  changes: AccountChanges,
): Promise<Account | undefined> {
  const { email, name, hasPremium, isBetaTester } = changes;
  const rows = await db.query<AccountRow>(sql`
    update accounts set
      email = coalesce(${email ?? null}, email),
      name = case when ${name !== undefined}::boolean then ${name ?? null} else name end,
      has_premium = coalesce(${hasPremium ?? null}, has_premium),
      is_beta_tester = coalesce(${isBetaTester ?? null}, is_beta_tester),
      updated_at = now()
    where id = ${id}
    returning *
  `);
  return rows[0] && toAccount(rows[0]);
}

/** Sets the address of an account without one, unless another account has it. */
export async function updateMissingEmail(db: Queryable, id: string, email: string): Promise<void> {
  await db.query(sql`
    update accounts set email = ${email}, updated_at = now()
    where id = ${id} and email is null
      and not exists (select from accounts taken where lower(taken.email) = lower(${email}))
  `);
}

/**
 * Gives an account what an operator granted to `others`, and their address if it has none. Theirs is
 * cleared, because an address belongs to one account.
 */
export async function inheritFromTx(
  tx: Transaction,
  id: string,
  others: readonly string[],
): Promise<void> {
  const [heritage] = await tx.query<{ email: string | null; premium: boolean; beta: boolean }>(sql`
    select min(email) as email, bool_or(has_premium) as premium, bool_or(is_beta_tester) as beta
    from accounts where id = any(${others}::uuid[])
  `);
  if (!heritage) return;
  const { email, premium, beta } = heritage;
  await tx.query(sql`
    update accounts set email = null, updated_at = now()
    where id = any(${others}::uuid[]) and email = ${email}
      and exists (select from accounts heir where heir.id = ${id} and heir.email is null)
  `);
  await tx.query(sql`
    update accounts set
      email = coalesce(email, ${email}),
      has_premium = has_premium or ${premium},
      is_beta_tester = is_beta_tester or ${beta},
      updated_at = now()
    where id = ${id}
  `);
}

/** Deletes the account with its identity, sessions, keys and grants. Returns whether it existed. */
export async function deleteAccount(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(sql`delete from accounts where id = ${id} returning id`);
  return rows.length > 0;
}

/** Locks the account's keys until the transaction ends. Returns whether the account exists. */
export async function lockAccountTx(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from accounts where id = ${id} for no key update
  `);
  return rows.length > 0;
}

const selectProfile = prepared(
  "account_profile",
  `select row_to_json(profile)::text as json
   from (
     select id, name, email, avatar_url, has_premium, is_beta_tester,
       to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
       to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as updated_at
     from accounts
     where id = $1
   ) profile`,
);

/** The Profile object of the public interface as JSON text. */
export async function findProfileJson(db: Queryable, id: string): Promise<string | undefined> {
  const rows = await db.query<{ json: string }>(selectProfile(id));
  return rows[0]?.json;
}
