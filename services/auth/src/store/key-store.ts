import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

import type { Key, KeyState, NewKey } from "../domain/key.ts";
import { ACTIVE_KEYS_MAX } from "../domain/key.ts";
import type { Scope } from "../domain/scopes.ts";

interface KeyRow {
  id: string;
  account_id: string;
  public_id: string;
  prefix: string;
  name: string | null;
  scopes: Scope[];
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  successor_id: string | null;
  last_ip_hash: Buffer | null;
  leak_reported_at: Date | null;
  leak_location: string | null;
}

/** Number of bytes shown of an address's keyed hash: enough to tell a few networks apart. */
const SHOWN_NETWORK_BYTES = 6;

function toKey(row: KeyRow): Key {
  return {
    id: row.id,
    accountId: row.account_id,
    publicId: row.public_id,
    prefix: row.prefix,
    name: row.name,
    scopes: row.scopes,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    successorId: row.successor_id,
    lastUsedNetwork: row.last_ip_hash?.subarray(0, SHOWN_NETWORK_BYTES).toString("hex") ?? null,
    leakReportedAt: row.leak_reported_at,
    leakLocation: row.leak_location,
  };
}

/**
 * Adds a key. A taken slot violates `api_keys_slot_unique`, a repeated creation
 * `api_keys_creation_unique`.
 */
export async function insertKey(db: Queryable, key: NewKey, slot: number): Promise<Key> {
  const rows = await db.query<KeyRow>(sql`
    insert into api_keys (
      id, account_id, public_id, prefix, name, hash, pepper_version, scopes, slot, expires_at,
      predecessor_id, creation_id, signing_version, created_at
    ) values (
      ${key.id}, ${key.accountId}, ${key.publicId}, ${key.prefix}, ${key.name},
      ${key.digest.hash}, ${key.digest.pepperVersion}, ${key.scopes}, ${slot}, ${key.expiresAt},
      ${key.predecessorId}, ${key.creationId}, ${key.signingVersion}, clock_timestamp()
    )
    returning *, null as successor_id
  `);
  return toKey(rows[0]!);
}

/** Frees the slots of the account's expired keys, which ends those keys permanently. */
export async function freeExpiredSlotsTx(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(sql`
    update api_keys set slot = null
    where account_id = ${accountId} and slot is not null and expires_at <= clock_timestamp()
  `);
}

/** The lowest free slot; undefined when the account has the maximum number of keys. */
export async function findFreeSlotTx(
  tx: Transaction,
  accountId: string,
): Promise<number | undefined> {
  const rows = await tx.query<{ slot: number }>(sql`
    select slot from generate_series(1, ${ACTIVE_KEYS_MAX}::int) slot
    where slot not in (
      select taken.slot from api_keys taken
      where taken.account_id = ${accountId} and taken.slot is not null
    )
    order by slot
    limit 1
  `);
  return rows[0]?.slot;
}

/**
 * Whole milliseconds until the account has created fewer than `max` keys in the last 24 hours;
 * undefined when that is the case now.
 */
export async function findCreationDelayMs(
  tx: Transaction,
  accountId: string,
  max: number,
): Promise<number | undefined> {
  const rows = await tx.query<{ ms: number }>(sql`
    select ceil(extract(epoch from created_at + interval '1 day' - clock_timestamp()) * 1000)
      ::double precision as ms
    from api_keys
    where account_id = ${accountId} and created_at > clock_timestamp() - interval '1 day'
    order by created_at desc
    offset ${max - 1}
    limit 1
  `);
  return rows[0]?.ms;
}

/** Deletes the account's ended keys except the newest `kept`. */
export async function deleteOldKeysTx(
  tx: Transaction,
  accountId: string,
  kept: number,
): Promise<void> {
  await tx.query(sql`
    delete from api_keys where id in (
      select id from api_keys
      where account_id = ${accountId} and slot is null
        and (revoked_at is not null or expires_at <= clock_timestamp())
      order by id desc
      offset ${kept}
    )
  `);
}

/** Identifies a key of an account. */
export type KeySelector = { id: string } | { publicId: string };

/** A key of the account with its state. */
export async function findKey(
  db: Queryable,
  accountId: string,
  selector: KeySelector,
): Promise<{ key: Key; state: KeyState } | undefined> {
  const { id, publicId } = { id: null, publicId: null, ...selector };
  const rows = await db.query<KeyRow & { state: KeyState }>(sql`
    select api_keys.*, successor.id as successor_id,
      case
        when api_keys.revoked_at is not null then 'revoked'
        when api_keys.slot is null or api_keys.expires_at <= clock_timestamp() then 'expired'
        else 'active'
      end as state
    from api_keys
    left join api_keys successor on successor.predecessor_id = api_keys.id
    where api_keys.account_id = ${accountId}
      and (api_keys.id = ${id}::uuid or api_keys.public_id = ${publicId}::text)
  `);
  return rows[0] && { key: toKey(rows[0]), state: rows[0].state };
}

/** Lists up to `limit` keys of the account, newest first; only active ones by default. */
export async function listKeys(
  db: Queryable,
  accountId: string,
  options: { includeInactive: boolean; limit: number },
): Promise<Key[]> {
  const rows = await db.query<KeyRow>(sql`
    select api_keys.*, successor.id as successor_id
    from api_keys
    left join api_keys successor on successor.predecessor_id = api_keys.id
    where api_keys.account_id = ${accountId}
      and (
        ${options.includeInactive}
        or (
          api_keys.slot is not null
          and (api_keys.expires_at is null or api_keys.expires_at > clock_timestamp())
        )
      )
    order by api_keys.id desc
    limit ${options.limit}
  `);
  return rows.map(toKey);
}

/** Ends the key and frees its slot. Returns whether it was not revoked before. */
export async function revokeKey(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(sql`
    update api_keys set revoked_at = clock_timestamp(), slot = null
    where id = ${id} and revoked_at is null
    returning id
  `);
  return rows.length > 0;
}

/** Renames a key if the account has it. */
export async function renameKey(
  db: Queryable,
  { accountId, keyId, name }: { accountId: string; keyId: string; name: string | null },
): Promise<void> {
  await db.query(sql`
    update api_keys set name = ${name} where account_id = ${accountId} and id = ${keyId}
  `);
}

/** Records the first report that a revoked key leaked. Returns whether this is the first. */
export async function recordLeakTx(
  tx: Transaction,
  id: string,
  location: string | null,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update api_keys set leak_reported_at = clock_timestamp(), leak_location = ${location}
    where id = ${id} and leak_reported_at is null
    returning id
  `);
  return rows.length > 0;
}

/** Lets the key expire after `seconds`, or at its own expiry if that is earlier. */
export async function expireKeyAfter(db: Queryable, id: string, seconds: number): Promise<void> {
  await db.query(sql`
    update api_keys
    set expires_at = least(
      expires_at, clock_timestamp() + make_interval(secs => ${seconds}::double precision)
    )
    where id = ${id}
  `);
}
