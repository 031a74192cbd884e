/** Target of an address: a site, a program on this device that listens on a port, or an app. */
export type RedirectKind = "site" | "device" | "app";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** The end of a domain name, which distinguishes reversed names from system schemes. */
const REVERSED_DOMAIN =
  /^(?:com|org|net|edu|gov|info|app|dev|[a-z]{2})(?:\.[a-z0-9](?:-?[a-z0-9])*)+:$/;
/**
 * Assistants whose apps use a scheme without a domain, each with the host that stands for the app.
 */
const KNOWN_APPS: Readonly<Record<string, ReadonlySet<string>>> = {
  "cursor:": new Set(["anysphere.cursor-mcp", "anysphere.cursor-retrieval"]),
};

/**
 * Parses where an OAuth client asks to be redirected; undefined for an address that no browser may
 * be sent to. This is an allowlist, because operating systems have schemes that run programs:
 * `https` to any host, `http` to this device (RFC 8252 §7.3), private-use schemes that are a
 * reversed domain name (§7.1), and the apps listed above. User names, passwords and fragments (RFC
 * 6749 §3.1.2) are never allowed.
 */
export function redirectKind(address: string): RedirectKind | undefined {
  const url = URL.parse(address);
  if (!url || address.includes("#") || url.username !== "" || url.password !== "") return undefined;
  const { protocol, hostname } = url;
  const isWeb = protocol === "https:" || protocol === "http:";
  if (isWeb && LOOPBACK.test(hostname)) return "device";
  if (protocol === "https:") return "site";
  const isApp = REVERSED_DOMAIN.test(protocol) || KNOWN_APPS[protocol]?.has(hostname);
  return isApp ? "app" : undefined;
}
