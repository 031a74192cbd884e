const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);
const DANGEROUS_SCHEMES = new Set([
  "javascript:",
  "data:",
  "file:",
  "vbscript:",
  "about:",
  "blob:",
]);

/** Why a client may not register this address to return to; undefined when it may. */
export function findRedirectFault(uri: string): string | undefined {
  const url = URL.parse(uri);
  if (!url) return "invalid URL format";
  if (DANGEROUS_SCHEMES.has(url.protocol)) return "scheme is not allowed";
  if (uri.includes("#")) return "fragment not allowed in redirect URI";
  if (url.protocol === "http:" && !LOOPBACK_HOSTS.has(url.hostname)) {
    return "HTTP scheme only allowed for localhost";
  }
  return undefined;
}

export interface ReturnRules {
  readonly siteUrl: string;
  readonly allowedRedirects: readonly string[];
}

/** Where a sign-in or a mail link returns to: the address asked for if it is allowed, else the site. */
export function chooseReturn(asked: string, { siteUrl, allowedRedirects }: ReturnRules): string {
  const url = URL.parse(asked);
  if (!url || !/^https?:$/.test(url.protocol)) return siteUrl;
  const isOwn = url.hostname === new URL(siteUrl).hostname;
  return isOwn || allowedRedirects.some((entry) => matches(entry, asked)) ? asked : siteUrl;
}

/** Whether a page of this origin may speak for a person who consents. */
export function isAllowedOrigin(
  origin: string,
  { siteUrl, allowedRedirects }: ReturnRules,
): boolean {
  return [siteUrl, ...allowedRedirects].some((entry) => URL.parse(entry)?.origin === origin);
}

/** `uri` with parameters added; empty ones are left out. */
export function withParameters(uri: string, parameters: Record<string, string>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "") url.searchParams.set(name, value);
  }
  return url.href;
}

function matches(entry: string, address: string): boolean {
  return entry.endsWith("**") ? address.startsWith(entry.slice(0, -2)) : address === entry;
}
