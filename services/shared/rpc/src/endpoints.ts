import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

/** One instance of a service. */
export interface Endpoint {
  /** `ip:port`. */
  readonly address: string;
  /** The name that its certificate must carry. */
  readonly host: string;
}

/** Finds the instances that a target names; rejects when resolution fails. */
export type Resolve = (target: string) => Promise<readonly Endpoint[]>;

/**
 * Resolves names as the operating system does; a headless service has a record for each instance.
 */
export const resolveTarget: Resolve = async (target) => {
  const named = target.replace(/^dns:\/{0,3}/, "").split(",");
  return (await Promise.all(named.map((item) => resolveOne(item.trim())))).flat();
};

async function resolveOne(hostAndPort: string): Promise<Endpoint[]> {
  const at = hostAndPort.lastIndexOf(":");
  const host = hostAndPort.slice(0, at).replace(/^\[(.*)\]$/, "$1");
  const port = hostAndPort.slice(at + 1);
  if (at < 1 || !/^\d{1,5}$/.test(port)) throw new Error(`${hostAndPort} is not host:port.`);
  const found = isIP(host) ? [{ address: host }] : await lookup(host, { all: true });
  return found.map(({ address }) => ({
    address: address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`,
    host,
  }));
}
