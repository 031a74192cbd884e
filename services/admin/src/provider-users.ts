import { Failure } from "@nutrition/core/failure";
import { z } from "zod";

import { readDocument } from "./doctor/read-document.ts";

/** A person as Supabase Auth's administration describes them. */
const user = z.object({
  email: z.string().default(""),
  email_confirmed_at: z.string().nullish(),
});

/**
 * Asks an identity provider's administration whether the person with this subject has confirmed one of the
 * addresses. Fails with `failed_precondition` when the provider does not let the operator ask.
 */
export async function hasConfirmedAddress(
  { issuer, apiKey }: { issuer: string; apiKey: string },
  subject: string,
  emails: readonly string[],
): Promise<boolean> {
  const headers = { apikey: apiKey, authorization: `Bearer ${apiKey}` };
  const document = await readDocument(
    `${issuer}/admin/users/${encodeURIComponent(subject)}`,
    headers,
  );
  if (document?.status === 404) return false;
  const found = user.safeParse(document?.json);
  if (document?.status !== 200 || !found.success) throw cannotAsk(issuer, document?.status);
  const { email, email_confirmed_at: confirmedAt } = found.data;
  if (!confirmedAt) return false;
  return emails.some((known) => known.toLowerCase() === email.toLowerCase());
}

function cannotAsk(issuer: string, status: number | undefined): Failure {
  const answer = status === undefined ? "did not respond" : `answered ${status}`;
  return new Failure(
    "failed_precondition",
    "PROVIDER_NOT_ASKED",
    `${issuer} ${answer} when it was asked about a person, so nothing more is moved. Check --to, and that AUTH_API_KEY is a secret key of that provider; then run the command again.`,
  );
}
