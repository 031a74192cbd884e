import type { SupabaseAnswer } from "./supabase-api.ts";
import { messageOf } from "./supabase-api.ts";

/**
 * Why Supabase sent no mail: `pause` if the address got one within the last minute, `quota` if the whole project
 * has sent too many, `failure` if the mail server or a template failed, or somebody signed up with the address at
 * the same moment.
 */
export const MISSING_MAIL_REASONS = ["pause", "quota", "failure"] as const;
export type MissingMailReason = (typeof MISSING_MAIL_REASONS)[number];

const CODE = "over_email_send_rate_limit";
/** Both limits have one code; only the message for people says which. */
const PAUSE = /only request this (?:after|once)/i;

/** Undefined if Supabase sent the mail, or refused for another reason. */
export function reasonOfMissingMail(answer: SupabaseAnswer): MissingMailReason | undefined {
  if (answer.status === 500) return "failure";
  if (answer.errorCode !== CODE) return undefined;
  return PAUSE.test(messageOf(answer)) ? "pause" : "quota";
}
