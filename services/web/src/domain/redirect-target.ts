import { foreignText } from "@nutrition/core/foreign-text";
import type { RedirectKind } from "@nutrition/core/redirect-address";
import { redirectKind } from "@nutrition/core/redirect-address";

/** Destination of the redirect after consent. */
export interface RedirectTarget {
  readonly kind: RedirectKind;
  /** Host with port, in ASCII; for an app its scheme, such as `cursor:`. At most 255 characters. */
  readonly host: string;
}

const HOST_LENGTH_MAX = 255;

/** Parses a redirect address; undefined for an address that the consent page must not redirect to. */
export function readRedirectTarget(address: string): RedirectTarget | undefined {
  const kind = redirectKind(address);
  if (kind === undefined) return undefined;
  const { host, protocol } = new URL(address);
  const target = { kind, host: kind === "app" ? protocol : host };
  return target.host.length <= HOST_LENGTH_MAX ? target : undefined;
}

/** Whether `address`, ignoring its parameters, is the address registered by the client. */
export function leadsTo(address: string, redirectUri: string): boolean {
  const [one, other] = [URL.parse(address), URL.parse(redirectUri)];
  if (!one || !other) return false;
  return (
    one.protocol === other.protocol && one.host === other.host && one.pathname === other.pathname
  );
}

/** Builds the client's redirect with an error instead of a code (RFC 6749 §4.1.2.1). */
export function withError(address: string, error: string, description: string): string {
  const url = new URL(address);
  url.searchParams.delete("code");
  url.searchParams.set("error", error);
  url.searchParams.set("error_description", description);
  return url.href;
}

/** Warning about a client on the consent page. */
export type Suspicion = "device" | "app" | "foreign_letters" | "mixed_letters" | "borrowed_name";

const ASSISTANTS = [
  { words: ["claude", "anthropic"], domains: ["claude.ai", "claude.com", "anthropic.com"] },
  { words: ["chatgpt", "openai"], domains: ["chatgpt.com", "openai.com"] },
  { words: ["gemini"], domains: ["google.com"] },
  { words: ["copilot"], domains: ["microsoft.com", "github.com", "vscode.dev"] },
];

/** Warnings about a client that calls itself `name` and redirects to `target`. */
export function findSuspicions(name: string, target: RedirectTarget): Suspicion[] {
  const found: Suspicion[] = [];
  if (target.kind !== "site") found.push(target.kind);
  if (target.kind === "site" && /(?:^|\.)xn--/.test(target.host)) found.push("foreign_letters");
  if (
    /\p{sc=Latin}/u.test(name) &&
    /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Cherokee}]/u.test(name)
  ) {
    found.push("mixed_letters");
  }
  if (target.kind === "site" && borrowsName(name, target.host)) found.push("borrowed_name");
  return found;
}

/** Whether the name or host imitates a well-known assistant that is hosted elsewhere. */
function borrowsName(name: string, host: string): boolean {
  const said = `${foreignText(name, HOST_LENGTH_MAX).normalize("NFKC")} ${host}`.toLowerCase();
  return ASSISTANTS.some(
    ({ words, domains }) =>
      words.some((word) => said.includes(word)) &&
      !domains.some((domain) => host === domain || host.endsWith(`.${domain}`)),
  );
}
