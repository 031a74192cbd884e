import type { Logger } from "@nutrition/core/logger";
import { isLoopback } from "@nutrition/core/loopback";

/**
 * Where the number of trusted proxies is from: `set` by the operator; `inferred`, one on this machine;
 * `none` for an installation that only this machine reaches; `unknown` if proxies may be in front.
 */
export type ProxyTrust = "set" | "inferred" | "none" | "unknown";

interface ProxySettings {
  /** Undefined if not set. */
  readonly hops: number | undefined;
  /** Address that the gateway listens on. */
  readonly host: string;
  readonly baseUrl: string;
}

/**
 * The number of proxies whose `X-Forwarded-For` is trusted. If it is not set, and people use another address
 * than this machine's, but only this machine can connect, then a proxy or tunnel on this machine is in front.
 * Anything else cannot be told from here: a client that connects directly could choose its own address.
 */
export function proxyTrustOf({ hops, host, baseUrl }: ProxySettings): {
  trustProxyHops: number;
  proxyTrust: ProxyTrust;
} {
  if (hops !== undefined) return { trustProxyHops: hops, proxyTrust: "set" };
  if (isLoopback(baseUrl)) return { trustProxyHops: 0, proxyTrust: "none" };
  const isProxied = isLoopback(`http://${host.includes(":") ? `[${host}]` : host}`);
  return isProxied
    ? { trustProxyHops: 1, proxyTrust: "inferred" }
    : { trustProxyHops: 0, proxyTrust: "unknown" };
}

const INFERRED =
  "the addresses of clients are taken from X-Forwarded-For, because only a proxy or tunnel on this machine can connect (BASE_URL is another address than HOST). Set TRUST_PROXY_HOPS to the number of proxies in front, or to 0 if none of them sets the header.";
const UNKNOWN =
  "TRUST_PROXY_HOPS is not set, so every client has the address of its connection. Behind proxies all clients then share the limits of one network: set TRUST_PROXY_HOPS to the number of proxies in front, or to 0 if clients connect directly.";

/** Tells the operator at the start what was inferred, or what to set. */
export function reportProxyTrust(trust: ProxyTrust, logger: Logger): void {
  if (trust === "inferred") logger.info({}, INFERRED);
  if (trust === "unknown") logger.warn({}, UNKNOWN);
}
