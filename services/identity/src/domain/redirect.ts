const DANGEROUS = ["javascript:", "data:", "file:", "vbscript:", "about:", "blob:"];
const REGISTRABLE_HTTP_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
const LOOPBACK_HOSTS = [...REGISTRABLE_HTTP_HOSTS, "0.0.0.0", "[::]"];
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * Reason that a client may not register this redirect URI; undefined when it may. As upstream, it allows
 * private schemes with a host, user names and an empty fragment, so pages that ask for consent must check the
 * address themselves.
 */
export function findRedirectFault(uri: string): string | undefined {
  const url = URL.parse(uri);
  if (!url || url.host === "") return "must have scheme and host";
  if (DANGEROUS.includes(url.protocol)) {
    return `scheme '${url.protocol.slice(0, -1)}' is not allowed for security reasons`;
  }
  if (url.protocol === "http:" && !REGISTRABLE_HTTP_HOSTS.includes(url.hostname)) {
    return "HTTP scheme only allowed for localhost";
  }
  return url.hash === "" ? undefined : "fragment not allowed in redirect URI";
}

export interface ReturnRules {
  readonly siteUrl: string;
  readonly allowedRedirects: readonly string[];
}

/**
 * Destination after a sign-in or a mail's link: the requested address if it is allowed, else the
 * site.
 */
export function chooseReturn(asked: string, rules: ReturnRules): string {
  return isAllowedReturn(asked, rules) ? asked : rules.siteUrl;
}

/**
 * Whether a sign-in may return to the address, and whether pages of this origin may submit a person's
 * consent: the site itself, on any port if it is on this machine; any loopback address; or an additional one.
 */
export function isAllowedReturn(
  address: string,
  { siteUrl, allowedRedirects }: ReturnRules,
): boolean {
  const [url, site] = [URL.parse(address), new URL(siteUrl)];
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  const { protocol, hostname, port } = url;
  const isSite = hostname === site.hostname && protocol === site.protocol;
  if (isSite && (port === site.port || LOOPBACK_HOSTS.includes(hostname))) return true;
  if (IPV4.test(hostname)) return hostname.startsWith("127.");
  if (hostname === "[::1]") return true;
  const [withoutFragment = ""] = address.split("#", 1);
  return allowedRedirects.some((entry) => matches(entry, withoutFragment));
}

/** Adds parameters to `uri`; empty ones are omitted. */
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
