import { isUuid } from "@nutrition/core/ids";

/** Whose cached answers are no longer valid. */
export interface RevokedCredential {
  /** UUID of the account. */
  readonly accountId: string;
  /** UUID of a key or client id of a connector; absent for all credentials of the account. */
  readonly credentialId?: string;
}

const MESSAGE_LENGTH_MAX = 512;
/** Client ids are visible ASCII, as are UUIDs. */
const CREDENTIAL_ID = /^[\x21-\x7e]{1,200}$/;

export function formatRevocation({ accountId, credentialId }: RevokedCredential): string {
  return JSON.stringify({ accountId, credentialId });
}

/** Parses `message`; undefined when it is not one of ours. */
export function parseRevocation(message: string): RevokedCredential | undefined {
  if (message.length > MESSAGE_LENGTH_MAX) return undefined;
  const value = parseJson(message);
  if (typeof value !== "object" || value === null) return undefined;
  const { accountId, credentialId, ...others } = value as Record<string, unknown>;
  if (Object.keys(others).length > 0) return undefined;
  if (typeof accountId !== "string" || !isUuid(accountId)) return undefined;
  if (credentialId === undefined) return { accountId };
  if (typeof credentialId !== "string" || !CREDENTIAL_ID.test(credentialId)) return undefined;
  return { accountId, credentialId };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
