import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/**
 * Starts listening; port 0 picks a free port. Resolves with the address, such as `127.0.0.1:3100`
 * or `[::1]:3100`. Rejects when the server cannot listen, for example because the port is taken.
 */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<string> {
  await once(server.listen(port, host), "listening");
  const { address, family, port: bound } = server.address() as AddressInfo;
  return family === "IPv6" ? `[${address}]:${bound}` : `${address}:${bound}`;
}
