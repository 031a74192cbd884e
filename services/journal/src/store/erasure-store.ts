import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import type { Statement } from "@nutrition/postgres/sql";

/** Waits for running writes of the account, and blocks new ones until the transaction ends. */
export async function excludeWriters(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(sql`
    select pg_advisory_xact_lock(hashtextextended('account ' || ${accountId}::uuid, 0))`);
}

/** Makes the database reject every new row of the account. */
export async function upsertErasure(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(sql`
    insert into erased_accounts (account_hash) values (sha256(uuid_send(${accountId}::uuid)))
    on conflict (account_hash) do update set erased_at = now()`);
}

/** Deletes up to `limit` erasures older than `seconds`. Returns the number deleted. */
export function deleteOldErasures(
  db: Queryable,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<number> {
  return rowCount(
    db,
    sql`
    delete from erased_accounts where account_hash = any (array(
      select account_hash from erased_accounts
      where erased_at < now() - ${seconds} * interval '1 second'
      limit ${limit} for update skip locked
    ))
    returning 1`,
  );
}

// Each of the following deletes at most `limit` rows of the account and returns how many.

export function deleteItemsOf(db: Queryable, accountId: string, limit: number): Promise<number> {
  return rowCount(
    db,
    sql`
    delete from items where id = any (array(
      select i.id from entries e join items i on i.entry_id = e.id
      where e.account_id = ${accountId} limit ${limit}
    ))
    returning 1`,
  );
}

export function deleteEntriesOf(db: Queryable, accountId: string, limit: number): Promise<number> {
  return rowCount(
    db,
    sql`
    delete from entries where id = any (array(
      select id from entries where account_id = ${accountId} limit ${limit}
    ))
    returning 1`,
  );
}

export function deleteMutationsOf(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<number> {
  return rowCount(
    db,
    sql`
    delete from mutations where id = any (array(
      select id from mutations where account_id = ${accountId} limit ${limit}
    ))
    returning 1`,
  );
}

export function deleteClaimsOf(db: Queryable, accountId: string, limit: number): Promise<number> {
  return rowCount(
    db,
    sql`
    delete from claims where ctid = any (array(
      select ctid from claims where account_id = ${accountId} limit ${limit}
    ))
    returning 1`,
  );
}

export function deleteCostlyLinesOf(
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<number> {
  return rowCount(
    db,
    sql`
    delete from costly_lines where ctid = any (array(
      select ctid from costly_lines where account_id = ${accountId} limit ${limit}
    ))
    returning 1`,
  );
}

export function deleteWeightsOf(db: Queryable, accountId: string, limit: number): Promise<number> {
  return rowCount(
    db,
    sql`
    delete from weights where ctid = any (array(
      select ctid from weights where account_id = ${accountId} limit ${limit}
    ))
    returning 1`,
  );
}

export function deleteSettingsOf(db: Queryable, accountId: string): Promise<number> {
  return rowCount(db, sql`delete from settings where account_id = ${accountId} returning 1`);
}

async function rowCount(db: Queryable, statement: Statement): Promise<number> {
  return (await db.query(statement)).length;
}
