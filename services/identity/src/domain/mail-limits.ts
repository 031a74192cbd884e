/** `SMTP_MAX_FREQUENCY`: time between two mails of one kind to one person. */
export const MAIL_PAUSE_MS = 60_000;

const HOUR_MS = 3_600_000;

/** `RATE_LIMIT_EMAIL_SENT`: mails of the whole project in an hour; 30 by default. */
export const MAILS_PER_HOUR = 30;

/** Counts mails in fixed hours, as upstream does. */
export class MailQuota {
  readonly #perHour: number;
  #hour = -1;
  #count = 0;

  constructor(perHour: number) {
    this.#perHour = perHour;
  }

  /** Counts a mail; false when the hour's mails are used up. */
  take(nowMs: number): boolean {
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour !== this.#hour) [this.#hour, this.#count] = [hour, 0];
    if (this.#count >= this.#perHour) return false;
    this.#count += 1;
    return true;
  }
}
