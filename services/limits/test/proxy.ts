import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A TCP proxy to the database that can be cut and restored. */
export async function startProxy(target: URL) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((incoming) => {
    if (isCut) return void incoming.destroy();
    const outgoing = connect(Number(target.port), target.hostname);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => [incoming, outgoing].forEach((each) => each.destroy()));
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  const destroyAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    cut() {
      isCut = true;
      destroyAll();
    },
    mend: () => void (isCut = false),
    async [Symbol.asyncDispose]() {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
