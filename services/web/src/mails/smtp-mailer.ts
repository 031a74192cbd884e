import type { NodemailerError, SMTPTransportOptions } from "nodemailer";
import { createTransport } from "nodemailer";

import type { Sender, SmtpServer } from "../domain/mail-settings.ts";
import { isPlainAddress } from "../domain/mail-settings.ts";
import type { MailText } from "./mail-texts.ts";

/** A mail with its recipient. */
export interface OutgoingMail extends MailText {
  /** One address, checked when it was stored. */
  readonly to: string;
  /** Value of `Message-ID`, with its brackets, the same for every attempt. */
  readonly messageId: string;
}

/** How a mail server answered. */
export type Delivery =
  | { readonly kind: "accepted" }
  /** `reason` says what failed without any address, for the log. */
  | { readonly kind: "postponed" | "rejected"; readonly reason: string };

/** Sends mails. */
export interface Mailer {
  /** Hands a mail to the mail server. Never rejects. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<Delivery>;
}

/** Time for one mail, from the connection to the server's answer. */
const SEND_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Sends each mail over a connection of its own: they are few. */
export class SmtpMailer implements Mailer {
  readonly #sender: Sender;
  readonly #transport: ReturnType<typeof openTransport>;

  constructor(server: SmtpServer, sender: Sender) {
    this.#sender = sender;
    this.#transport = openTransport(server);
  }

  async send(mail: OutgoingMail, signal: AbortSignal): Promise<Delivery> {
    const { to, messageId, subject, text, html } = mail;
    const from = this.#sender;
    // Nodemailer reads a text as a list of addresses, even in the envelope.
    if (!isPlainAddress(to)) return { kind: "rejected", reason: "not an address" };
    try {
      await this.#transport.sendMail({
        from,
        to: { name: "", address: to },
        envelope: { from: from.address, to: [to] },
        messageId,
        subject,
        text,
        html,
        headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
        signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
      });
      return { kind: "accepted" };
    } catch (error) {
      return deliveryOf(error as NodemailerError);
    }
  }
}

function openTransport({ host, port, isSecure, isTlsRequired, login }: SmtpServer) {
  const options: SMTPTransportOptions = {
    host,
    port,
    secure: isSecure,
    requireTLS: isTlsRequired && !isSecure,
    ...(login && { auth: { user: login.user, pass: login.password.reveal() } }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: SEND_TIMEOUT_MS,
    socketTimeout: SEND_TIMEOUT_MS,
    // No part of a mail may name a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return createTransport(options);
}

/** Commands whose refusal is about this mail; any other may be about the settings. */
const ABOUT_THE_MAIL: ReadonlySet<string | undefined> = new Set(["RCPT TO", "DATA"]);

/**
 * Decides whether to retry. The reason contains only codes, because the text of a response often
 * repeats the recipient's address.
 */
function deliveryOf(error: NodemailerError): Delivery {
  const { code, command, responseCode, permanent = false } = error;
  const facts = [code ?? error.name, command, responseCode].filter((fact) => fact !== undefined);
  const isRejected = permanent && ABOUT_THE_MAIL.has(command);
  return { kind: isRejected ? "rejected" : "postponed", reason: facts.join(" ") };
}
