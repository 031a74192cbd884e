import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { isUuid } from "@nutrition/core/ids";
import type { Key } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { KeyMark } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import type { AuthClient } from "./accounts.ts";
import { isoTime } from "./accounts.ts";
import { CALL } from "./call-options.ts";

/** A key as printed by the command line. */
export interface KeyView {
  id: string;
  account_id: string;
  public_id: string;
  prefix: string;
  name: string | null;
  scopes: string[];
  created_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  /** Equal for uses from the same address, without revealing the address. */
  last_used_network: string | null;
  /** Reason to review it. */
  mark: "expired" | "never_used" | "idle" | null;
  leak_reported_at: string | null;
  leak_location: string | null;
}

/** A new key with its text, which is shown only here. */
export type CreatedKeyView = { key: string } & KeyView;

/** Creates a key of an account. */
export async function createKey(
  auth: AuthClient,
  fields: {
    accountId: string;
    scopes: readonly string[];
    name?: string | undefined;
    expiresAt?: Date | undefined;
  },
): Promise<CreatedKeyView> {
  const { accountId, scopes, name = "", expiresAt } = fields;
  const { apiKey, key } = await auth.createKey(
    {
      accountId,
      scopes: [...scopes],
      name,
      expiresAt: expiresAt && timestampFromDate(expiresAt),
    },
    CALL,
  );
  return { key: apiKey, ...keyView(key!) };
}

/** Lists the keys of an account, newest first; only active ones by default. */
export async function listKeys(
  auth: AuthClient,
  accountId: string,
  includeInactive: boolean,
): Promise<KeyView[]> {
  const { keys } = await auth.listKeys({ accountId, includeInactive }, CALL);
  return keys.map(keyView);
}

/** Revokes a key by its id or public id. */
export async function revokeKey(
  auth: AuthClient,
  accountId: string,
  idOrPublicId: string,
): Promise<KeyView> {
  const selector = isUuid(idOrPublicId)
    ? ({ case: "keyId", value: idOrPublicId } as const)
    : ({ case: "publicId", value: idOrPublicId } as const);
  const { key } = await auth.revokeKey({ accountId, selector }, CALL);
  return keyView(key!);
}

const MARKS: Readonly<Record<KeyMark, KeyView["mark"]>> = {
  [KeyMark.UNSPECIFIED]: null,
  [KeyMark.EXPIRED]: "expired",
  [KeyMark.NEVER_USED]: "never_used",
  [KeyMark.IDLE]: "idle",
};

function keyView(key: Key): KeyView {
  return {
    id: key.id,
    account_id: key.accountId,
    public_id: key.publicId,
    prefix: key.prefix,
    name: key.name || null,
    scopes: key.scopes,
    created_at: isoTime(key.createdAt),
    expires_at: isoTime(key.expiresAt),
    revoked_at: isoTime(key.revokedAt),
    last_used_at: isoTime(key.lastUsedAt),
    last_used_network: key.lastUsedNetwork || null,
    mark: MARKS[key.mark] ?? null,
    leak_reported_at: isoTime(key.leakReportedAt),
    leak_location: key.leakLocation || null,
  };
}
