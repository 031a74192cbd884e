import type { Clock } from "@nutrition/core/clock";

/** A mail as shown in the inbox. */
export interface SentMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The link in the mail, if any. */
  readonly link?: string;
  readonly sentAt: Date;
}

const KEPT = 100;

/** Stores the mails that a real provider would send. */
export class Mailbox {
  readonly #clock: Clock;
  readonly #mails: SentMail[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The latest mails, oldest first. */
  get mails(): readonly SentMail[] {
    return this.#mails;
  }

  send(mail: Omit<SentMail, "sentAt">): void {
    this.#mails.push({ ...mail, sentAt: this.#clock.now() });
    if (this.#mails.length > KEPT) this.#mails.shift();
  }
}
