import { createServer, get } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";

import { afterEach, expect, it } from "vitest";

import { listen } from "./listen.ts";
import { OperationsServer } from "./operations-server.ts";
import { shareConnections } from "./share-connections.ts";

const ends = new AsyncDisposableStack();
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function start(max: number): Promise<{ server: Server; port: number; closed: string[] }> {
  const server = createServer((_request, response) => response.end("Hello"));
  const closed: string[] = [];
  shareConnections(server, { max }, (network) => closed.push(network));
  await listen(server, { host: "127.0.0.1", port: 0 });
  ends.defer(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port, closed };
}

/** A connection on which nothing has been sent, once the server has it. */
async function open(port: number, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
  sockets.push(socket);
  await new Promise((resolve) => socket.once("connect", resolve));
  return socket;
}

function statusOf(port: number, path = "/"): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ port, path, agent: false }, ({ statusCode }) => resolve(statusCode)).on("error", reject);
  });
}

it("serves newcomers however many idle connections there are", async () => {
  const { port, closed } = await start(3);
  for (let count = 0; count < 10; count += 1) await open(port);
  expect(await statusOf(port)).toBe(200);
  expect(closed).toHaveLength(8);
});

// Loopback addresses of other networks exist on Linux.
it.skipIf(process.platform !== "linux")("closes those of the network with the most", async () => {
  const { server, port, closed } = await start(4);
  const few = await open(port, "127.0.0.2");
  for (let count = 0; count < 10; count += 1) await open(port, "127.0.0.3");
  await expect.poll(() => closed).toEqual(Array.from({ length: 7 }, () => "127.0.0.3"));
  expect(few.destroyed).toBe(false);
  expect(await new Promise((resolve) => server.getConnections((_, open) => resolve(open)))).toBe(4);
});

it("answers the platform's probes however many idle connections the port has", async () => {
  await using operations = await OperationsServer.start({ host: "127.0.0.1", port: 0 });
  for (let count = 0; count < 40; count += 1) await open(operations.port);
  expect(await statusOf(operations.port, "/livez")).toBe(200);
});
