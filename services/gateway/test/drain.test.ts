import type { IncomingMessage, Server } from "node:http";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, beforeEach, expect, it } from "vitest";

import { drain } from "../src/http/drain.ts";

/** Longer than any test takes. */
const LEAVE_MS = 60_000;

let server: Server;
let port: number;
let agent: Agent;
beforeEach(async () => {
  server = createServer((_request, response) => void response.end("Hello"));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
  agent = new Agent({ keepAlive: true });
});
afterEach(() => {
  agent.destroy();
  server.closeAllConnections();
  server.close();
});

function ask(connections: Agent | false = agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ port, host: "127.0.0.1", agent: connections })
      .on("response", (response) => response.resume().on("end", () => resolve(response)))
      .on("error", reject)
      .end();
  });
}

it("answers a request on a connection that was idle when the drain began, as its last one", async () => {
  expect((await ask()).headers.connection).toBe("keep-alive");
  const drained = drain(server, LEAVE_MS);
  expect((await ask()).headers.connection).toBe("close");
  await drained;
});

it("answers requests on new connections while others are open", async () => {
  await ask();
  const drained = drain(server, LEAVE_MS);
  expect((await ask(false)).headers.connection).toBe("close");
  agent.destroy();
  await drained;
});

it("closes idle connections at the end of the time to leave", async () => {
  await ask();
  await drain(server, 1);
  await expect(ask(false)).rejects.toThrow("ECONNREFUSED");
});
