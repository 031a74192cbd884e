import { z } from "zod";

import type { Invitation } from "../identity-provider.ts";
import { providerUnavailable } from "../provider-unavailable.ts";
import type { SupabaseApi } from "./supabase-api.ts";

const invitation = z.object({ hashed_token: z.string().min(1).max(500) });

/**
 * See `IdentityProvider.invite`. Ignores the link that Supabase creates, because merely opening it uses it
 * up.
 */
export async function invite(
  api: SupabaseApi,
  email: string,
  redirectTo: string,
): Promise<Invitation> {
  const body = { type: "invite", email, redirect_to: redirectTo };
  const answer = await api.callAsAdmin("POST", "/admin/generate_link", body);
  if (!answer) return { kind: "not_allowed" };
  if (answer.errorCode === "email_exists") return { kind: "already_registered" };
  const parsed = invitation.safeParse(answer.body);
  if (answer.errorCode !== "" || !parsed.success)
    throw providerUnavailable(new Error(`It answered ${answer.status}.`));
  return { kind: "invited", tokenHash: parsed.data.hashed_token };
}

/** See `IdentityProvider.deletePerson`. */
export async function deletePerson(
  api: SupabaseApi,
  subject: string,
): Promise<"deleted" | "not_allowed"> {
  const path = `/admin/users/${encodeURIComponent(subject)}`;
  const answer = await api.callAsAdmin("DELETE", path);
  if (!answer) return "not_allowed";
  if (answer.errorCode === "" || answer.status === 404) return "deleted";
  throw providerUnavailable(new Error(`It answered ${answer.status}.`));
}
