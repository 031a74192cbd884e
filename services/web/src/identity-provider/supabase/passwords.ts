import { randomBytes } from "node:crypto";

import type { ClientAddress, PasswordRefusal } from "../identity-provider.ts";
import { providerUnavailable } from "../provider-unavailable.ts";
import type { SupabaseApi } from "./supabase-api.ts";

/** A password that nobody knows. It has characters of every kind that a project may require. */
export function newRandomPassword(): string {
  return `aA1!${randomBytes(32).toString("base64url")}`;
}

/** See `IdentityProvider.setPassword`. */
export async function setPassword(
  api: SupabaseApi,
  token: string,
  { password, clientAddress }: { password: string; clientAddress: ClientAddress },
): Promise<PasswordRefusal | undefined> {
  const request = { token, body: { password }, clientAddress };
  const { errorCode, status } = await api.call("PUT", "/user", request);
  if (errorCode === "" || errorCode === "same_password") return undefined;
  if (errorCode === "weak_password") return errorCode;
  return status === 401 || status === 403 ? "session_ended" : "other";
}

/**
 * Replaces the person's password with one that nobody knows, which ends their other sessions. The session must
 * have begun with a link in a mail.
 */
export async function discardPassword(
  api: SupabaseApi,
  token: string,
  clientAddress: ClientAddress,
): Promise<void> {
  const request = { password: newRandomPassword(), clientAddress };
  const refusal = await setPassword(api, token, request);
  if (refusal !== undefined) throw providerUnavailable(new Error(`It refused: ${refusal}.`));
}
