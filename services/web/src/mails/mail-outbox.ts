import type { Logger } from "@nutrition/core/logger";
import type { Mail } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { MailOutcome } from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import type { Backends } from "../clients/backends.ts";
import { writeMail } from "./mail-texts.ts";
import type { SealedLinks } from "./sealed-links.ts";
import type { Delivery, Mailer } from "./smtp-mailer.ts";

export interface MailOutboxOptions {
  backends: Pick<Backends, "auth">;
  mailer: Mailer;
  links: SealedLinks;
  /** Public URL of the pages, without a trailing slash. */
  baseUrl: string;
  logger: Logger;
}

/** Sent side by side, so that all are done well before their lease ends. */
const AT_ONCE = 5;
const CALL = { timeoutMs: 5_000 };

/**
 * Sends the mails that the auth service queued, each in the transaction that it reports. A mail is
 * sent at least once: if this process dies after the mail server accepted it, the next lease sends it
 * again with the same Message-ID, by which mailboxes recognize it.
 */
export class MailOutbox implements Disposable {
  readonly #options: MailOutboxOptions;
  readonly #stop = new AbortController();

  constructor(options: MailOutboxOptions) {
    this.#options = options;
  }

  /** Sends some of the due mails. What fails is tried again later. */
  async sendDue(): Promise<void> {
    const { auth } = this.#options.backends;
    const { mails } = await auth.takeMails({ max: AT_ONCE }, CALL);
    await Promise.all(mails.map((mail) => this.#finish(mail)));
  }

  async #finish(mail: Mail): Promise<void> {
    const outcome = await this.#send(mail);
    const { id, leaseId } = mail;
    await this.#options.backends.auth.finishMail({ id, leaseId, outcome }, CALL);
  }

  async #send(mail: Mail): Promise<MailOutcome> {
    const { links, mailer, baseUrl } = this.#options;
    const { id, sealedLink, recipient: to } = mail;
    const link = sealedLink.length === 0 ? undefined : await links.open(sealedLink);
    const text = writeMail(mail, { baseUrl, link });
    if (!text) return this.#giveUp(mail, "it cannot be written any more");
    const messageId = `<${id}@${new URL(baseUrl).hostname}>`;
    const delivery = await mailer.send({ ...text, to, messageId }, this.#stop.signal);
    return this.#outcomeOf(mail, delivery);
  }

  #outcomeOf(mail: Mail, delivery: Delivery): MailOutcome {
    if (delivery.kind === "accepted") return MailOutcome.SENT;
    if (delivery.kind === "rejected") return this.#giveUp(mail, delivery.reason);
    const facts = { mail_id: mail.id, attempts: mail.attempts, reason: delivery.reason };
    this.#options.logger.warn(facts, "mail postponed");
    return MailOutcome.RETRY;
  }

  #giveUp({ id, attempts }: Mail, reason: string): MailOutcome {
    this.#options.logger.warn({ mail_id: id, attempts, reason }, "mail given up");
    return MailOutcome.GIVEN_UP;
  }

  /** Ends sending at once; what was not accepted is tried again later, by another instance. */
  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}
