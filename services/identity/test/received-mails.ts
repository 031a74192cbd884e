import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "vitest";

/** Finds the texts of the mails that were sent to an address, oldest first. */
export type FindMails = (email: string) => Promise<readonly string[]>;

/** What a link in a mail contains, whichever page it leads to. */
export interface MailedLink {
  readonly address: string;
  readonly tokenHash: string;
}

/**
 * Finds mails in a folder with one message a file (RFC 5322), or at the address of a Mailpit server, which
 * Supabase's local development stack has.
 */
export function findMailsIn(place: string): FindMails {
  return /^https?:/.test(place) ? findAtMailpit(place) : findInFolder(place);
}

/** Waits until an address has received this many mails with a link. Returns the newest link. */
export async function linkTo(find: FindMails, email: string, count = 1): Promise<MailedLink> {
  const links = async () => (await find(email)).flatMap((text) => linkIn(text) ?? []);
  await expect.poll(async () => (await links()).length).toBe(count);
  return (await links()).at(-1)!;
}

function linkIn(text: string): MailedLink | undefined {
  for (const [found] of text.matchAll(/https?:\/\/[^\s"<>]+/g)) {
    const address = found.replaceAll("&amp;", "&");
    const parameters = URL.parse(address)?.searchParams;
    const tokenHash = parameters?.get("token_hash") ?? parameters?.get("token");
    if (tokenHash) return { address, tokenHash };
  }
  return undefined;
}

function findInFolder(folder: string): FindMails {
  return async (email) => {
    const names = (await readdir(folder)).toSorted();
    const messages = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    return messages.filter((message) => isTo(message, email)).map(decoded);
  };
}

function findAtMailpit(address: string): FindMails {
  const api = `${address.replace(/\/+$/, "")}/api/v1`;
  return async (email) => {
    const query = new URLSearchParams({ query: `to:"${email}"` });
    const response = await fetch(`${api}/search?${query.toString()}`);
    const { messages } = (await response.json()) as { messages: { ID: string }[] };
    const raw = messages.map(async ({ ID }) => (await fetch(`${api}/message/${ID}/raw`)).text());
    return (await Promise.all(raw)).map(decoded).toReversed();
  };
}

function isTo(message: string, email: string): boolean {
  const to = /^To:(.*)$/im.exec(message)?.[1] ?? "";
  return to.toLowerCase().includes(email.toLowerCase());
}

/** Undoes quoted-printable, which is harmless for the links of other messages. */
function decoded(message: string): string {
  if (!/^content-transfer-encoding:\s*quoted-printable/im.test(message)) return message;
  return message
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
