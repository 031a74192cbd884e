/** Names of this computer in addresses, as `URL.hostname` writes them. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a host name, as `URL.hostname` writes it, is one of the three usual ones of this computer. */
export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK_NAMES.has(hostname);
}

/** Whether the address is reachable only from the same computer. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return isLoopbackName(hostname) || hostname.endsWith(".localhost");
}
