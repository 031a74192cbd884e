import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { connect, createServer } from "node:net";
import { pipeline } from "node:stream";

/** A loopback address that leads to another port, like the DNS name or proxy of a database. */
export interface Forwarder extends AsyncDisposable {
  readonly port: number;
  /** Where new connections lead; existing ones stay. */
  target: number;
}

export async function startForwarder(target: number): Promise<Forwarder> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(forwarder.target, "127.0.0.1");
    for (const socket of [near, far]) {
      open.add(socket);
      socket.once("close", () => open.delete(socket));
    }
    // Closes both when either ends.
    pipeline(near, far, near, () => undefined);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const forwarder: Forwarder = {
    port: (server.address() as AddressInfo).port,
    target,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
  return forwarder;
}
