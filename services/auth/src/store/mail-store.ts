import { newId } from "@nutrition/core/ids";
import type { Queryable, Transaction } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";

import type { Mail, MailKind } from "../domain/mail.ts";
import type { Lease } from "./lease.ts";
import { retryTime } from "./lease.ts";

interface MailRow {
  id: string;
  lease_id: string;
  kind: MailKind;
  recipient: string;
  erase_at: Date | null;
  sealed_link: Buffer | null;
  attempts: number;
}

function toMail(row: MailRow): Mail {
  return {
    id: row.id,
    leaseId: row.lease_id,
    kind: row.kind,
    recipient: row.recipient,
    eraseAt: row.erase_at,
    sealedLink: row.sealed_link,
    attempts: row.attempts,
  };
}

/** Longer than an attempt to send a mail takes. */
const LEASE_SECONDS = 120;
const RETRY_TIME = retryTime(10, 1_800);
/** Time after which a mail is old news: it is not tried again, and forgotten. */
const LIFETIME_HOURS = 48;
/** Mails to one account within 24 hours, so that nobody can flood a mailbox. */
const PER_DAY_MAX = 10;

/** Mails that a newer one of a kind makes wrong. */
const REPLACED: Readonly<Record<MailKind, readonly MailKind[]>> = {
  erasure_scheduled: ["erasure_scheduled", "erasure_cancelled"],
  erasure_cancelled: ["erasure_scheduled", "erasure_cancelled"],
  account_erased: [],
  // A new link ends the one before.
  invitation: ["invitation"],
};

/** A mail to the address of an account, as it is at that moment. */
export interface NewMail {
  accountId: string;
  kind: Exclude<MailKind, "account_erased">;
  eraseAt?: Date;
  sealedLink?: Buffer;
}

/**
 * Queues a mail to an account that the transaction has locked, and drops what it makes wrong unless
 * that is being sent. Returns false when the account has no address, or too many mails already.
 */
export async function insertMailTx(tx: Transaction, mail: NewMail): Promise<boolean> {
  const { accountId, kind, eraseAt = null, sealedLink = null } = mail;
  await tx.query(sql`
    delete from mails
    where account_id = ${accountId} and kind = any(${REPLACED[kind]}::text[])
      and recipient is not null and (lease_id is null or due_at <= clock_timestamp())
  `);
  const rows = await tx.query(sql`
    insert into mails (id, account_id, kind, recipient, erase_at, sealed_link, due_at, created_at)
    select ${newId()}, id, ${kind}, email, ${eraseAt}::timestamptz, ${sealedLink}::bytea,
      clock_timestamp(), clock_timestamp()
    from accounts
    where id = ${accountId} and email is not null and ${PER_DAY_MAX} > (
      select count(*) from mails
      where account_id = ${accountId} and created_at > clock_timestamp() - interval '24 hours'
    )
    returning id
  `);
  return rows.length > 0;
}

/** Queues the mail that an account was erased, which outlives the account. */
export async function insertFarewellTx(tx: Transaction, recipient: string): Promise<void> {
  await tx.query(sql`
    insert into mails (id, kind, recipient, due_at, created_at)
    values (${newId()}, 'account_erased', ${recipient}, clock_timestamp(), clock_timestamp())
  `);
}

/** Leases up to `max` due mails. Each goes to one caller. */
export async function takeMails(db: Queryable, max: number): Promise<Mail[]> {
  const rows = await db.query<MailRow>(sql`
    with due as materialized (
      select id from mails
      where recipient is not null and due_at <= clock_timestamp()
        and created_at > clock_timestamp() - make_interval(hours => ${LIFETIME_HOURS})
      order by due_at
      limit ${max}
      for update skip locked
    )
    update mails taken set
      lease_id = gen_random_uuid(),
      due_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
      attempts = attempts + 1
    from due
    where taken.id = due.id
    returning taken.*
  `);
  return rows.map(toMail);
}

/** Forgets the content of a mail that was sent or given up. Returns whether the lease was held. */
export async function closeLeasedMail(db: Queryable, { id, leaseId }: Lease): Promise<boolean> {
  const rows = await db.query(sql`
    with gone as (
      delete from mails
      where id = ${id} and lease_id = ${leaseId} and account_id is null
      returning id
    ), closed as (
      update mails set recipient = null, sealed_link = null, lease_id = null
      where id = ${id} and lease_id = ${leaseId} and account_id is not null
      returning id
    )
    select id from gone union all select id from closed
  `);
  return rows.length > 0;
}

/**
 * Releases a lease: the mail is tried again after 10 seconds, doubled with each attempt up to half
 * an hour and shortened by up to half at random. Returns whether the lease was held.
 */
export async function releaseLeasedMail(db: Queryable, { id, leaseId }: Lease): Promise<boolean> {
  const rows = await db.query(sql`
    update mails set
      lease_id = null,
      due_at = ${RETRY_TIME}
    where id = ${id} and lease_id = ${leaseId}
    returning id
  `);
  return rows.length > 0;
}

/** Deletes up to `max` mails whose lifetime is over, sent or not. Returns their number. */
export async function deleteOldMails(db: Queryable, max: number): Promise<number> {
  const rows = await db.query(sql`
    delete from mails where id in (
      select id from mails
      where created_at <= now() - make_interval(hours => ${LIFETIME_HOURS})
      order by created_at limit ${max}
    )
    returning id
  `);
  return rows.length;
}
