import type { Queryable } from "@nutrition/postgres/database";
import { prepared } from "@nutrition/postgres/sql";

import type { Identity } from "../domain/identity-claims.ts";
import type { KeyState } from "../domain/key.ts";
import type { Scope } from "../domain/scopes.ts";

/** Whether the account is premium or a beta tester, as connectors and writes require. */
export interface Entitlements {
  hasPremium: boolean;
  isBetaTester: boolean;
}

/** A stored key with everything needed to verify a presented one. */
export interface KeyCredential extends Entitlements {
  id: string;
  accountId: string;
  hash: Buffer;
  pepperVersion: number;
  scopes: Scope[];
  state: KeyState;
}

interface KeyCredentialRow {
  public_id: string;
  id: string;
  account_id: string;
  hash: Buffer;
  pepper_version: number;
  scopes: Scope[];
  state: KeyState;
  has_premium: boolean;
  is_beta_tester: boolean;
}

// A key without a slot counts as expired whatever its time: ten slots guarantee at most ten keys.
const selectKeyCredentials = prepared(
  "key_credentials",
  `select k.public_id, k.id, k.account_id, k.hash, k.pepper_version, k.scopes, a.has_premium, a.is_beta_tester,
     case
       when k.revoked_at is not null then 'revoked'
       when k.slot is null or k.expires_at <= clock_timestamp() then 'expired'
       else 'active'
     end as state
   from api_keys k
   join accounts a on a.id = k.account_id
   where k.public_id = any($1::text[])`,
);

/** The existing keys with these public ids, by public id. */
export async function findKeyCredentials(
  db: Queryable,
  publicIds: readonly string[],
): Promise<Map<string, KeyCredential>> {
  const rows = await db.query<KeyCredentialRow>(selectKeyCredentials(publicIds));
  return new Map(rows.map((row) => [row.public_id, toKeyCredential(row)]));
}

function toKeyCredential(row: KeyCredentialRow): KeyCredential {
  return {
    id: row.id,
    accountId: row.account_id,
    hash: row.hash,
    pepperVersion: row.pepper_version,
    scopes: row.scopes,
    state: row.state,
    hasPremium: row.has_premium,
    isBetaTester: row.is_beta_tester,
  };
}

/** The account of a token, with the grant of the token's client, if there ever was one. */
export interface ConnectorCredential extends Entitlements {
  accountId: string;
  grant: ConnectorGrant | undefined;
}

interface ConnectorGrant {
  id: string;
  scopes: Scope[];
  grantedAt: Date;
  revokedAt: Date | null;
  /** Whether the database's clock was set back to before the consent. */
  isFuture: boolean;
}

interface ConnectorCredentialRow {
  account_id: string;
  has_premium: boolean;
  is_beta_tester: boolean;
  grant_id: string | null;
  scopes: Scope[];
  granted_at: Date;
  revoked_at: Date | null;
  is_future: boolean;
}

// A repeated consent takes effect up to a second later (upsertGrantTx).
const selectConnectorCredential = prepared(
  "connector_credential",
  `select a.id as account_id, a.has_premium, a.is_beta_tester,
     g.id as grant_id, g.scopes, g.granted_at, g.revoked_at,
     g.granted_at > clock_timestamp() + interval '1 second' as is_future
   from identities i
   join accounts a on a.id = i.account_id
   left join grants g on g.account_id = a.id and g.client_id = $3
   where i.issuer = $1 and i.subject = $2`,
);

/** Undefined when nobody with this identity has signed in yet. */
export async function findConnectorCredential(
  db: Queryable,
  { issuer, subject }: Identity,
  clientId: string,
): Promise<ConnectorCredential | undefined> {
  const statement = selectConnectorCredential(issuer, subject, clientId);
  const [row] = await db.query<ConnectorCredentialRow>(statement);
  if (!row) return undefined;
  const { scopes, granted_at: grantedAt, revoked_at: revokedAt, is_future: isFuture } = row;
  const grant = { id: row.grant_id ?? "", scopes, grantedAt, revokedAt, isFuture };
  return {
    accountId: row.account_id,
    hasPremium: row.has_premium,
    isBetaTester: row.is_beta_tester,
    grant: row.grant_id === null ? undefined : grant,
  };
}
