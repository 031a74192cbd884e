import type { IncomingMessage, Server } from "node:http";
import { Agent, request } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";

import { silentLogger } from "@nutrition/core/logger";
import { Router } from "express";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";

import {
  CONNECTIONS_PER_NETWORK_MAX,
  CONNECTION_PACE,
  admitConnections,
} from "../src/http/connections.ts";
import { RequestLog } from "../src/http/request-log.ts";
import { createHttpServer } from "../src/http/server.ts";
import { bareApp } from "./bare-app.ts";
import { PausingClock } from "./pausing-clock.ts";

const routes = Router()
  .get("/answered", (_request, response) => void response.end("Hello"))
  .get("/pending", () => {})
  .post("/echo", (received, response) => void received.pipe(response));

let clock: PausingClock;
let server: Server;
let port: number;
let requests: number;
async function start(isProxied: boolean): Promise<void> {
  clock = new PausingClock("2026-11-23T05:00:00Z");
  const log = new RequestLog(silentLogger, clock);
  server = createHttpServer(bareApp([routes], 0, clock), log);
  admitConnections(server, { isProxied, clock, log });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
  requests = 0;
  server.on("request", () => (requests += 1));
}

async function stop(): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

beforeEach(() => start(false));
afterEach(stop);

/** Opens a connection, by default one that sends a request at once. */
function open(text = "GET /pending HTTP/1.1\r\nhost: localhost\r\n\r\n"): Socket {
  const socket = connect({ port, host: "127.0.0.1" }).on("error", () => {});
  if (text !== "") socket.write(text);
  return socket;
}

/** Opens connections and ends them before they receive anything. */
async function hangUp(text?: string): Promise<void> {
  let [opened, closed] = [0, 0];
  const count = (socket: Socket) => {
    opened += 1;
    socket.once("close", () => (closed += 1));
  };
  server.on("connection", count);
  const sockets = Array.from({ length: CONNECTION_PACE.freePerSecond + 1 }, () => open(text));
  await expect.poll(() => opened).toBe(sockets.length);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => closed).toBe(sockets.length);
  server.off("connection", count);
}

function answerOf(sent: ReturnType<typeof request>): Promise<IncomingMessage & { text: string }> {
  return new Promise((resolve, reject) => {
    sent.on("error", reject).on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(Object.assign(response, { text })));
    });
  });
}

it("parses nothing of a connection that ends soon, once its network has disconnected often", async () => {
  await hangUp();
  const before = requests;
  const closed = new Promise((resolve) => {
    server.once("connection", (socket) => socket.once("close", resolve));
  });
  const impatient = open();
  await expect.poll(() => clock.pauses).toBe(1);
  impatient.end();
  await closed;
  await clock.endPauses();
  const answer = answerOf(request({ port, path: "/answered", agent: false }).end());
  await expect.poll(() => clock.pauses).toBe(1);
  await clock.endPauses();
  expect((await answer).statusCode).toBe(200);
  expect(requests - before).toBe(1);
});

it("also counts connections that end without a request", async () => {
  await hangUp("");
  const answer = answerOf(request({ port, path: "/answered", agent: false }).end());
  await expect.poll(() => clock.pauses).toBe(1);
  await clock.endPauses();
  expect((await answer).statusCode).toBe(200);
});

it("also counts connections that end with something unreadable", async () => {
  for (let count = 0; count <= CONNECTION_PACE.freePerSecond; count += 1) {
    const socket = open("nonsense\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    socket.end();
    await new Promise((resolve) => socket.once("close", resolve));
  }
  const answer = answerOf(request({ port, path: "/answered", agent: false }).end());
  await expect.poll(() => clock.pauses).toBe(1);
  await clock.endPauses();
  expect((await answer).statusCode).toBe(200);
});

it.each([
  ["short", 10],
  ["longer than what is read while the connection waits", 1_000_000],
])("loses no byte of a waiting request whose body is %s", async (_, length) => {
  await hangUp();
  const sent = request({ port, path: "/echo", method: "POST", agent: false });
  const answer = answerOf(sent);
  const body = Array.from({ length }, (_each, index) => index % 10).join("");
  sent.write(body.slice(0, length / 2));
  await expect.poll(() => clock.pauses).toBe(1);
  sent.end(body.slice(length / 2));
  await clock.endPauses();
  expect((await answer).text).toBe(body);
});

it("serves a waiting connection that has sent nothing yet, and its next requests at once", async () => {
  await hangUp();
  const socket = open("");
  onTestFinished(() => void socket.destroy());
  await expect.poll(() => clock.pauses).toBe(1);
  await clock.endPauses();
  const answers: string[] = [];
  socket.on("data", (chunk: Buffer) => answers.push(chunk.toString()));
  for (const count of [1, 2]) {
    socket.write("GET /answered HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await expect.poll(() => answers.join("").match(/Hello/g)?.length).toBe(count);
  }
});

it("delays no connection in use, and no new one while few clients disconnect", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = () => answerOf(request({ port, path: "/answered", agent }).end());
  expect((await ask()).statusCode).toBe(200);
  await hangUp();
  expect((await ask()).statusCode).toBe(200);
  clock.advance(1_000);
  const other = answerOf(request({ port, path: "/answered", agent: false }).end());
  expect((await other).statusCode).toBe(200);
  expect(clock.pauses).toBe(0);
});

describe("idle connections", () => {
  const HELLO = "GET /answered HTTP/1.1\r\nhost: localhost\r\n\r\n";
  /** Loopback addresses of other networks exist on Linux. */
  const isElsewhere = process.platform !== "linux";

  /** A connection that has been answered once, from a network of the loopback addresses. */
  async function idle(localAddress: string): Promise<Socket> {
    const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
    onTestFinished(() => void socket.destroy());
    socket.write(HELLO);
    await new Promise((resolve) => socket.once("data", resolve));
    return socket;
  }

  async function isServed(socket: Socket): Promise<boolean> {
    socket.write(HELLO);
    return new Promise((resolve) => {
      socket.once("data", () => resolve(true)).once("close", () => resolve(false));
      if (socket.destroyed) resolve(false);
    });
  }

  async function idleConnections(localAddress: string, count: number): Promise<Socket[]> {
    const sockets: Socket[] = [];
    for (let batch = 0; batch < count; batch += 100) {
      const size = Math.min(100, count - batch);
      sockets.push(...(await Promise.all(Array.from({ length: size }, () => idle(localAddress)))));
    }
    return sockets;
  }

  it.skipIf(isElsewhere)(
    "of one network take no more than its share, and none of another's",
    async () => {
      const other = await idle("127.0.0.2");
      const oldest = await idle("127.0.0.3");
      const used = await idle("127.0.0.3");
      const closed = new Promise((resolve) => oldest.once("close", resolve));
      await idleConnections("127.0.0.3", CONNECTIONS_PER_NETWORK_MAX - 2);
      expect(await isServed(used)).toBe(true);
      const newest = await idleConnections("127.0.0.3", 2);
      await closed;
      const served = await Promise.all([other, used, ...newest].map(isServed));
      expect(served).toEqual([true, true, true, true]);
    },
  );

  it.skipIf(isElsewhere)(
    "that make room again and again slow only the new ones of their network",
    async () => {
      await idleConnections(
        "127.0.0.3",
        CONNECTIONS_PER_NETWORK_MAX + CONNECTION_PACE.freePerSecond + 1,
      );
      const waiting = idle("127.0.0.3");
      await expect.poll(() => clock.pauses).toBe(1);
      expect(await isServed(await idle("127.0.0.2"))).toBe(true);
      await clock.endPauses();
      expect(await isServed(await waiting)).toBe(true);
    },
  );

  it("of a trusted proxy have no share: 5,000 from one are served", async () => {
    await stop();
    await start(true);
    const sockets = await idleConnections("127.0.0.1", 5_000);
    const served = await Promise.all(sockets.map(isServed));
    expect(served.filter(Boolean)).toHaveLength(5_000);
  }, 60_000);
});
