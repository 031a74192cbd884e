import { isLoopback } from "@nutrition/core/loopback";
import { Secret } from "@nutrition/core/secret";

/** A mail server. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** Encrypted from the first byte (465); otherwise by STARTTLS. */
  readonly isSecure: boolean;
  /** Whether to refuse a server that does not encrypt: any but one on this machine. */
  readonly isTlsRequired: boolean;
  /** Absent for a server that asks for none. */
  readonly login?: { readonly user: string; readonly password: Secret };
}

/** The sender of mails. */
export interface Sender {
  /** Empty for none. */
  readonly name: string;
  readonly address: string;
}

const SCHEMES: Readonly<Record<string, { port: number; isSecure: boolean }>> = {
  "smtp:": { port: 587, isSecure: false },
  "smtps:": { port: 465, isSecure: true },
};

/**
 * Reads `smtp://user:password@host:port` or `smtps://…`; undefined when it is neither. Nothing else
 * of the address counts, so that it cannot switch off the check of a certificate.
 */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text);
  const scheme = SCHEMES[url?.protocol ?? ""];
  if (!url || !scheme || url.hostname === "") return undefined;
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === undefined || password === undefined) return undefined;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? scheme.port : Number(url.port),
    isSecure: scheme.isSecure,
    isTlsRequired: !isLoopback(`http://${url.host}`),
    ...(user !== "" && { login: { user, password: new Secret(password) } }),
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const SENDER = /^(?:([^<>"\p{Cc}]{0,100}?)\s*<([^<>]+)>|([^<>]+))$/u;
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9.-]{1,190}$/i;

/** Whether a text is one address without quotes, comments or a list. */
export function isPlainAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Reads `Name <address>` or an address; undefined when it is neither. */
export function parseSender(text: string): Sender | undefined {
  const [, name = "", inBrackets, alone] = SENDER.exec(text.trim()) ?? [];
  const address = inBrackets ?? alone ?? "";
  return isPlainAddress(address) ? { name, address } : undefined;
}
