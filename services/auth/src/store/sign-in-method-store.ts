import type { SignInMethod } from "@nutrition/core/sign-in-method";
import type { Queryable } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

import type { NewSignInMethod } from "../domain/sign-in-method.ts";

/** All methods that were used to sign in to the account. */
export async function listSignInMethods(
  db: Queryable,
  accountId: string,
): Promise<Set<SignInMethod>> {
  const rows = await db.query<{ method: SignInMethod }>(sql`
    select method from sign_in_methods where account_id = ${accountId}
  `);
  return new Set(rows.map(({ method }) => method));
}

/** The methods that need no confirmation, or no longer. */
export async function listConfirmedSignInMethods(
  db: Queryable,
  accountId: string,
): Promise<Set<SignInMethod>> {
  const rows = await db.query<{ method: SignInMethod }>(sql`
    select method from sign_in_methods
    where account_id = ${accountId} and confirmed_at is not null
  `);
  return new Set(rows.map(({ method }) => method));
}

/** Adds the method as confirmed, or confirms it. */
export async function putConfirmedSignInMethod(
  db: Queryable,
  accountId: string,
  method: SignInMethod,
): Promise<void> {
  await db.query(sql`
    insert into sign_in_methods (account_id, method, first_seen_at, confirmed_at)
    values (${accountId}, ${method}, now(), now())
    on conflict on constraint sign_in_methods_pkey
      do update set confirmed_at = coalesce(sign_in_methods.confirmed_at, now())
  `);
}

/** Adds the methods that are not stored yet. */
export async function insertSignInMethods(
  db: Queryable,
  accountId: string,
  { methods, areConfirmed }: { methods: readonly SignInMethod[]; areConfirmed: boolean },
): Promise<void> {
  await db.query(sql`
    insert into sign_in_methods (account_id, method, first_seen_at, confirmed_at)
    select ${accountId}, method, now(), case when ${areConfirmed} then now() end
    from unnest(${methods}::text[]) as method
    on conflict on constraint sign_in_methods_pkey do nothing
  `);
}

/** Lists unconfirmed sign-in methods, oldest first. */
export async function listNewSignInMethods(
  db: Queryable,
  accountId: string,
): Promise<NewSignInMethod[]> {
  const rows = await db.query<{ method: SignInMethod; first_seen_at: Date }>(sql`
    select method, first_seen_at from sign_in_methods
    where account_id = ${accountId} and confirmed_at is null
    order by first_seen_at, method
  `);
  return rows.map((row) => ({ method: row.method, firstSeenAt: row.first_seen_at }));
}

/** Confirms all methods except those given. */
export async function confirmSignInMethodsExcept(
  db: Queryable,
  accountId: string,
  excepted: readonly SignInMethod[],
): Promise<void> {
  await db.query(sql`
    update sign_in_methods set confirmed_at = now()
    where account_id = ${accountId} and confirmed_at is null
      and method <> all (${excepted}::text[])
  `);
}
