import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  AccountSchema,
  GrantSchema,
  KeySchema,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { KeyMark } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import type { Account } from "../domain/account.ts";
import type { Grant } from "../domain/grant.ts";
import type { Key } from "../domain/key.ts";
import { markOf } from "../domain/key.ts";

const MARKS = {
  none: KeyMark.UNSPECIFIED,
  expired: KeyMark.EXPIRED,
  never_used: KeyMark.NEVER_USED,
  idle: KeyMark.IDLE,
} as const;

export function accountMessage(account: Account): MessageInitShape<typeof AccountSchema> {
  return {
    id: account.id,
    email: account.email ?? "",
    name: account.name ?? "",
    avatarUrl: account.avatarUrl ?? "",
    hasPremium: account.hasPremium,
    isBetaTester: account.isBetaTester,
    createdAt: timestampFromDate(account.createdAt),
    updatedAt: timestampFromDate(account.updatedAt),
  };
}

/** The key as a message; `now` decides whether it needs a review. */
export function keyMessage(key: Key, now: Date): MessageInitShape<typeof KeySchema> {
  return {
    id: key.id,
    accountId: key.accountId,
    publicId: key.publicId,
    prefix: key.prefix,
    name: key.name ?? "",
    scopes: key.scopes,
    createdAt: timestampFromDate(key.createdAt),
    expiresAt: optionalTimestamp(key.expiresAt),
    revokedAt: optionalTimestamp(key.revokedAt),
    lastUsedAt: optionalTimestamp(key.lastUsedAt),
    successorId: key.successorId ?? "",
    lastUsedNetwork: key.lastUsedNetwork ?? "",
    mark: MARKS[markOf(key, now)],
    leakReportedAt: optionalTimestamp(key.leakReportedAt),
    leakLocation: key.leakLocation ?? "",
  };
}

export function grantMessage(grant: Grant): MessageInitShape<typeof GrantSchema> {
  return {
    clientId: grant.clientId,
    clientName: grant.clientName,
    redirectHost: grant.redirectHost,
    scopes: grant.scopes,
    grantedAt: timestampFromDate(grant.grantedAt),
    revokedAt: optionalTimestamp(grant.revokedAt),
    lastUsedAt: optionalTimestamp(grant.lastUsedAt),
  };
}

/** Reads an optional timestamp; null when it is absent. */
export function optionalDate(timestamp: Timestamp | undefined): Date | null {
  return timestamp ? timestampDate(timestamp) : null;
}

function optionalTimestamp(moment: Date | null): Timestamp | undefined {
  return moment ? timestampFromDate(moment) : undefined;
}
