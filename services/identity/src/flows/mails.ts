import { MAIL_PAUSE_MS } from "../domain/mail-limits.ts";
import { ApiError } from "../errors.ts";
import type { Provider } from "../provider.ts";
import type { SentMail } from "../records/mailbox.ts";

/** Both limits have one code, but different messages. */
const CODE = "over_email_send_rate_limit";

/** Sends a mail. Throws 429 when the project has sent too many in this hour. */
export function sendMail(provider: Provider, mail: Omit<SentMail, "sentAt">): void {
  if (!provider.mailQuota.take(provider.clock.monotonicMs())) {
    throw new ApiError(429, CODE, "email rate limit exceeded");
  }
  provider.mailbox.send(mail);
}

/** Throws 429 when the last mail of this kind to the person is too recent. */
export function checkMailPause({ clock }: Provider, lastSentAt: string | undefined): void {
  if (lastSentAt === undefined) return;
  const waitMs = Date.parse(lastSentAt) + MAIL_PAUSE_MS - clock.now().getTime();
  if (waitMs <= 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  const message = `For security purposes, you can only request this after ${seconds} seconds.`;
  throw new ApiError(429, CODE, message);
}
