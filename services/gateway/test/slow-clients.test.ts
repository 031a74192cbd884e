import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { connect } from "node:net";

import type { Router } from "express";
import { afterEach, describe, expect, it } from "vitest";

import { BODIES_PER_NETWORK_MAX } from "../src/http/body.ts";
import { identityRoutes } from "../src/routes/identity-routes.ts";
import { pageRoutes } from "../src/routes/page-routes.ts";
import { PAGE_STREAMS_PER_NETWORK_MAX, PAGE_TURNS, PageTurns } from "../src/routes/page-turns.ts";
import { bareApp } from "./bare-app.ts";
import { FULL_KEY } from "./fake-backends.ts";
import type { FakeWeb } from "./fake-web.ts";
import { listen, startFakeWeb } from "./fake-web.ts";
import { startFixture } from "./gateway-fixture.ts";
import { callTool } from "./mcp-fixture.ts";

const [SLOW, OTHER] = ["192.0.2.1", "198.51.100.1"];
const FORM = "Content-Type: application/x-www-form-urlencoded\r\n";
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

function open(port: number, text: string): Socket {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  socket.write(text);
  return socket;
}

/** Those of the sockets that have been closed, in order. */
function closedOf(watched: readonly Socket[]): Socket[] {
  const closed: Socket[] = [];
  for (const socket of watched) socket.once("close", () => closed.push(socket));
  return closed;
}

/** A request of which the end is missing. */
function head(request: string, from: string, headers = ""): string {
  return `${request} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${from}\r\n${headers}\r\n`;
}

function slowForm(path: string, from = SLOW): string {
  return `${head(`POST ${path}`, from, `${FORM}Content-Length: 60000\r\n`)}email=`;
}

/** Resolves when the server has received the connections and what was sent on them. */
async function untilReceived(server: Server, count: number): Promise<void> {
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)));
  await expect.poll(connections).toBe(count);
}

async function serve(web: FakeWeb, routesOf: (turns: PageTurns) => Router, slots = 2) {
  const turns = new PageTurns({ ...PAGE_TURNS, slots, slotsPerKey: slots });
  const server = createServer(bareApp([routesOf(turns)], 1));
  const port = await listen(server);
  return {
    server,
    port,
    ask: (path: string, from: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        ...init,
        headers: { "x-forwarded-for": from, ...init.headers },
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await web[Symbol.asyncDispose]();
    },
  };
}

const pagesOf = (web: FakeWeb) => (turns: PageTurns) => pageRoutes(web.url, { turns });
const identityOf = (web: FakeWeb) => (turns: PageTurns) =>
  identityRoutes(web.url, { turns, assertOwnHost: () => {} });

describe.each([
  ["a page", "/sign-in", pagesOf],
  ["the development identity provider", "/auth/v1/token", identityOf],
])("a client of %s", (_, path, routesOf) => {
  it("holds nothing that others need while its body arrives", async () => {
    const web = await startFakeWeb();
    await using gateway = await serve(web, routesOf(web));
    for (let count = 0; count < 10; count += 1) open(gateway.port, slowForm(path));
    await untilReceived(gateway.server, 10);
    for (const from of [SLOW, OTHER]) {
      expect((await gateway.ask(path, from)).status).toBe(200);
      const sent = await gateway.ask(path, from, { method: "POST", body: "email=a" });
      expect(sent.status).toBe(200);
    }
    expect(web.asked.map(({ body }) => body)).toEqual(["", "email=a", "", "email=a"]);
  });

  it("is served when the rest of its body arrives", async () => {
    const web = await startFakeWeb();
    await using gateway = await serve(web, routesOf(web));
    const socket = open(gateway.port, head(`POST ${path}`, SLOW, `${FORM}Content-Length: 9\r\n`));
    await untilReceived(gateway.server, 1);
    const answered = new Promise<string>((resolve) =>
      socket.once("data", (text) => resolve(String(text))),
    );
    socket.write("email=a@b");
    expect(await answered).toMatch(/^HTTP\/1.1 200 /);
    expect(web.asked.map(({ body }) => body)).toEqual(["email=a@b"]);
  });

  it.each(["GET", "HEAD"])(
    "that sends a body with %s is refused, and nothing is passed on",
    async (method) => {
      const web = await startFakeWeb();
      await using gateway = await serve(web, routesOf(web));
      for (const length of ["Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"]) {
        const socket = open(gateway.port, head(`${method} ${path}`, SLOW, length));
        const text = await new Promise((resolve) =>
          socket.once("data", (text) => resolve(String(text))),
        );
        expect(text).toMatch(/^HTTP\/1.1 400 /);
      }
      expect(web.asked).toEqual([]);
    },
  );

  it("whose response has begun holds no turn, however slowly it reads", async () => {
    const web = await startFakeWeb();
    const held: ServerResponse[] = [];
    web.answer = (response) => void held.push(response);
    await using gateway = await serve(web, routesOf(web), 1);
    const first = gateway.ask(path, SLOW);
    await expect.poll(() => held.length).toBe(1);
    const second = gateway.ask(path, SLOW);
    held[0]?.write("the beginning");
    await first;
    await expect.poll(() => held.length).toBe(2);
    for (const response of held) response.end();
    expect((await second).status).toBe(200);
  });
});

it("a network that reads many responses slowly loses the longest idle of them, and nobody else does", async () => {
  const web = await startFakeWeb();
  web.answer = (response) => void response.write("the beginning");
  await using gateway = await serve(web, pagesOf(web), 256);
  const begin = async (from: string) => {
    const socket = open(gateway.port, head("GET /settings/export", from));
    await new Promise((resolve) => socket.once("data", resolve));
    return socket;
  };
  const [other, oldest] = [await begin(OTHER), await begin(SLOW)];
  const closed = closedOf([other, oldest]);
  for (let count = 1; count < PAGE_STREAMS_PER_NETWORK_MAX; count += 1) await begin(SLOW);
  expect(closed).toEqual([]);
  await begin(SLOW);
  await expect.poll(() => closed).toEqual([oldest]);
});

it("a network whose bodies arrive slowly loses the oldest of them, and nobody else does", async () => {
  const web = await startFakeWeb();
  await using gateway = await serve(web, pagesOf(web));
  const other = open(gateway.port, slowForm("/sign-in", OTHER));
  const oldest = open(gateway.port, slowForm("/sign-in"));
  await untilReceived(gateway.server, 2);
  const closed = closedOf([other, oldest]);
  for (let count = 1; count < BODIES_PER_NETWORK_MAX; count += 1)
    open(gateway.port, slowForm("/sign-in"));
  await untilReceived(gateway.server, 1 + BODIES_PER_NETWORK_MAX);
  open(gateway.port, slowForm("/sign-in"));
  await expect.poll(() => closed).toEqual([oldest]);
});

it("a compressed body that breaks off holds no place", async () => {
  const web = await startFakeWeb();
  await using gateway = await serve(web, pagesOf(web));
  const compressed = `${FORM}Content-Encoding: gzip\r\nContent-Length: 60000\r\n`;
  const first = open(gateway.port, slowForm("/sign-in"));
  await untilReceived(gateway.server, 1);
  const closed = closedOf([first]);
  for (let count = 0; count < 2 * BODIES_PER_NETWORK_MAX; count += 1) {
    const begun = new Promise((resolve) => gateway.server.once("request", resolve));
    const broken = open(gateway.port, head("POST /sign-in", SLOW, compressed));
    await begun;
    broken.destroy();
    await untilReceived(gateway.server, 1);
  }
  expect(closed).toEqual([]);
});

it("a slowly arriving body of a tool call takes no slot of its account", async () => {
  await using own = await startFixture();
  const { port } = new URL(own.gateway.url);
  const credential = `Authorization: Bearer ${FULL_KEY}\r\nContent-Type: application/json\r\n`;
  const slow = `${head("POST /mcp", SLOW, `${credential}Content-Length: 100\r\n`)}{`;
  for (let count = 0; count < 40; count += 1) open(Number(port), slow);
  await expect.poll(() => own.fakes.authenticated.length).toBeGreaterThan(0);
  expect((await own.get("/api/v1/me")).status).toBe(200);
  expect(await callTool(own, "get_profile")).toMatchObject({ isError: false });
  for (const socket of sockets) socket.destroy();
});
