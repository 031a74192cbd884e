import { foreignText } from "./foreign-text.ts";

/** Where a browser goes after a consent. */
export interface RedirectTarget {
  /** A site, a program on this device that listens on a port, or an app with an address of its own. */
  readonly kind: "site" | "device" | "app";
  /** Host with port, in ASCII; for an app its scheme, such as `cursor:`. At most 255 characters. */
  readonly host: string;
}

const HOST_LENGTH_MAX = 255;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** Schemes that run code, read files or lead back to the browser itself. */
const REFUSED_SCHEMES = new Set(
  ["about", "blob", "chrome", "data", "file", "filesystem", "ftp", "intent", "javascript"]
    .concat(["mailto", "resource", "tel", "vbscript", "view-source", "ws", "wss"])
    .map((scheme) => `${scheme}:`),
);

/** Undefined for an address that no browser is sent to. */
export function readRedirectTarget(address: string): RedirectTarget | undefined {
  const url = URL.parse(address);
  if (!url || REFUSED_SCHEMES.has(url.protocol) || url.username !== "" || url.password !== "") {
    return undefined;
  }
  const target = targetOf(url);
  return target && target.host.length <= HOST_LENGTH_MAX ? target : undefined;
}

function targetOf({ protocol, host, hostname }: URL): RedirectTarget | undefined {
  const isWeb = protocol === "https:" || protocol === "http:";
  if (isWeb && LOOPBACK.test(hostname)) return { kind: "device", host };
  if (protocol === "https:") return { kind: "site", host };
  return isWeb ? undefined : { kind: "app", host: protocol };
}

/** Whether `address`, with whatever parameters, is the place that the client has registered. */
export function leadsTo(address: string, redirectUri: string): boolean {
  const [one, other] = [URL.parse(address), URL.parse(redirectUri)];
  if (!one || !other) return false;
  return (
    one.protocol === other.protocol && one.host === other.host && one.pathname === other.pathname
  );
}

/** The client's address with an error in the place of the code (RFC 6749 §4.1.2.1). */
export function withError(address: string, error: string, description: string): string {
  const url = new URL(address);
  url.searchParams.delete("code");
  url.searchParams.set("error", error);
  url.searchParams.set("error_description", description);
  return url.href;
}

/** Why a person should look twice before allowing a client. */
export type Suspicion = "device" | "app" | "foreign_letters" | "mixed_letters" | "borrowed_name";

const ASSISTANTS = [
  { words: ["claude", "anthropic"], domains: ["claude.ai", "claude.com", "anthropic.com"] },
  { words: ["chatgpt", "openai"], domains: ["chatgpt.com", "openai.com"] },
  { words: ["gemini"], domains: ["google.com"] },
  { words: ["copilot"], domains: ["microsoft.com", "github.com", "vscode.dev"] },
];

/** What is suspicious about a client that calls itself `name` and returns to `target`. */
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

/** Whether name or host speak of a well-known assistant that lives elsewhere. */
function borrowsName(name: string, host: string): boolean {
  const said = `${foreignText(name, HOST_LENGTH_MAX).normalize("NFKC")} ${host}`.toLowerCase();
  return ASSISTANTS.some(
    ({ words, domains }) =>
      words.some((word) => said.includes(word)) &&
      !domains.some((domain) => host === domain || host.endsWith(`.${domain}`)),
  );
}
