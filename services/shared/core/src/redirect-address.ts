/** Where an address leads: a site, a program on this device that listens on a port, or an app. */
export type RedirectKind = "site" | "device" | "app";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** The end of a domain name, by which reversed names are told from schemes of the system. */
const REVERSED_DOMAIN =
  /^(?:com|org|net|edu|gov|info|app|dev|[a-z]{2})(?:\.[a-z0-9](?:-?[a-z0-9])*)+:$/;
/** Assistants whose apps have a scheme without a domain; each with the host that is the app's own. */
const KNOWN_APPS: Readonly<Record<string, ReadonlySet<string>>> = {
  "cursor:": new Set(["anysphere.cursor-mcp", "anysphere.cursor-retrieval"]),
};

/**
 * Tells where an OAuth client asks to be returned to; undefined for an address that no browser may be
 * sent to. Allowed are shapes, not whatever nobody has forbidden: an operating system has schemes that
 * run programs. They are `https` to any host, `http` to this device (RFC 8252 §7.3), private-use
 * schemes that are a reversed domain name (§7.1), and the apps listed above. User names, passwords and
 * fragments (RFC 6749 §3.1.2) never are.
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
