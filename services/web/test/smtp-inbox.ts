import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import type { SMTPServerOptions } from "smtp-server";
import { SMTPServer } from "smtp-server";

import type { Sender, SmtpServer } from "../src/domain/mail-settings.ts";

/** A message as the server got it. */
export interface ReceivedMail {
  /** Address of the sender, and of every recipient, that the server was told. */
  readonly from: string;
  readonly to: readonly string[];
  /** Header lines by name in lower case, unfolded. */
  readonly headers: ReadonlyMap<string, string>;
  /** The text for people, decoded. */
  readonly text: string;
  readonly html: string;
}

/** The moments at which a server can refuse, or close the connection. */
type Step = "MAIL" | "RCPT" | "DATA";

export const SENDER: Sender = { name: "Nutrition journal", address: "journal@example.com" };

/** A mail server that keeps what it gets, over SMTP on a real socket. */
export class SmtpInbox implements AsyncDisposable {
  readonly mails: ReceivedMail[] = [];
  /** What the next steps are answered with, by step. */
  readonly refusals = new Map<Step, number>();
  /** While set, nobody is greeted before it resolves. */
  greeting: Promise<void> | undefined;
  /** Connections that were opened so far. */
  connections = 0;
  /** Users who logged in. */
  readonly logins: { user: string; password: string }[] = [];
  readonly #server: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    this.#server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ["STARTTLS"],
      closeTimeout: 1,
      ...options,
      onConnect: (_session, done) => {
        this.connections += 1;
        void Promise.resolve(this.greeting).then(() => done());
      },
      onAuth: ({ username, password }, _session, done) => {
        this.logins.push({ user: username ?? "", password: password ?? "" });
        done(null, { user: username ?? "" });
      },
      onMailFrom: (_address, _session, done) => done(this.#refusal("MAIL")),
      onRcptTo: (_address, _session, done) => done(this.#refusal("RCPT")),
      onData: (stream, { envelope }, done) => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        void text(stream).then((raw) => {
          const refusal = this.#refusal("DATA");
          if (!refusal) this.mails.push({ from, to, ...parse(raw) });
          done(refusal);
        });
      },
    });
    // Clients that hang up in the middle are part of the tests.
    this.#server.on("error", () => {});
  }

  static async start(options: SMTPServerOptions = {}, host = "127.0.0.1"): Promise<SmtpInbox> {
    const inbox = new SmtpInbox(options);
    await once(inbox.#server.listen(0, host), "listening");
    return inbox;
  }

  /** Where it listens, as the service's settings name it. */
  get server(): SmtpServer {
    const { address, port } = this.#server.server.address() as AddressInfo;
    return { host: address, port, isSecure: false, isTlsRequired: false };
  }

  #refusal(step: Step): Error | null {
    const code = this.refusals.get(step);
    // As real servers do, it repeats what it was told.
    return code === undefined
      ? null
      : Object.assign(new Error("<ada@example.com>: no"), { responseCode: code });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function parse(raw: string): Pick<ReceivedMail, "headers" | "text" | "html"> {
  const [head = "", body = ""] = split(raw);
  const headers = readHeaders(head);
  const boundary = /boundary="?([^";]+)/.exec(headers.get("content-type") ?? "")?.[1];
  const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`);
  const ofType = (type: string) => {
    const part = parts.find((one) => one.toLowerCase().includes(`content-type: ${type}`)) ?? "";
    return decoded(part.trimStart());
  };
  return { headers, text: ofType("text/plain"), html: ofType("text/html") };
}

function split(raw: string): [string, string] {
  const end = raw.indexOf("\r\n\r\n");
  return [raw.slice(0, end), raw.slice(end + 4)];
}

function readHeaders(head: string): Map<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function decoded(part: string): string {
  const [head, whole] = split(part);
  // The line break before a boundary belongs to the boundary.
  const body = whole.replace(/\r\n$/, "");
  const encoding = readHeaders(head).get("content-transfer-encoding") ?? "7bit";
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
