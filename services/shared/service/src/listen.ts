import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/**
 * Lets a server listen; port 0 takes a free one. Resolves with where it listens, such as `127.0.0.1:3100`
 * or `[::1]:3100`. Rejects when it cannot, as when the port is taken.
 */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<string> {
  await once(server.listen(port, host), "listening");
  const { address, family, port: bound } = server.address() as AddressInfo;
  return family === "IPv6" ? `[${address}]:${bound}` : `${address}:${bound}`;
}
