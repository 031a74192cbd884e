import type { RequestListener } from "node:http";
import { connect } from "node:net";
import type { Socket } from "node:net";

import { systemClock } from "@nutrition/core/clock";
import { silentLogger } from "@nutrition/core/logger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { RequestLog } from "../src/http/request-log.ts";
import type { ConnectionLimits } from "../src/http/server.ts";
import { createHttpServer } from "../src/http/server.ts";
import { listen } from "./fake-web.ts";
import type { GatewayFixture } from "./gateway-fixture.ts";
import { startFixture } from "./gateway-fixture.ts";

let fixture: GatewayFixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname).on("error", () => {});
}

/** Everything that the server sends until it closes the connection. */
async function readAll(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

async function exchange(bytes: string, url = fixture.gateway.url): Promise<string> {
  const socket = open(url);
  socket.write(bytes);
  return readAll(socket);
}

/** The parts of the only response in `text`. */
function parse(text: string) {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const headers = Object.fromEntries(
    fields.map((field) => {
      const [name = "", ...value] = field.split(": ");
      return [name.toLowerCase(), value.join(": ")];
    }),
  );
  return { status: Number(line.split(" ")[1]), headers, body };
}

function expectRefusal(text: string, status: number, error: string): void {
  const answer = parse(text);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.body)).toEqual({ error, message: expect.stringMatching(/\.$/) });
  expect(answer.headers).toMatchObject({
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(answer.body)),
    connection: "close",
  });
}

describe("invalid HTTP gets a JSON response, and the connection is closed", () => {
  const HOST = "Host: localhost\r\n";
  it.each([
    ["nonsense", "nonsense\r\n\r\n", 400, "invalid_request"],
    ["a bad header", `GET / HTTP/1.1\r\n${HOST}a b: c\r\n\r\n`, 400, "invalid_request"],
    [
      "two ways to end the body",
      `POST /mcp HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      "invalid_request",
    ],
    [
      "headers that are too long",
      `GET / HTTP/1.1\r\n${HOST}X: ${"x".repeat(40_000)}\r\n\r\n`,
      431,
      "payload_too_large",
    ],
    [
      "an address that is too long",
      `GET /${"x".repeat(40_000)} HTTP/1.1\r\n${HOST}\r\n`,
      431,
      "payload_too_large",
    ],
    [
      "chunks with endless extensions",
      `POST /keys/report-leak HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n1;${"x".repeat(20_000)}\r\n`,
      413,
      "payload_too_large",
    ],
    [
      "an unsupported expectation",
      `POST /mcp HTTP/1.1\r\n${HOST}Content-Length: 1\r\nExpect: 200-ok\r\n\r\n`,
      417,
      "invalid_request",
    ],
  ])("such as %s", async (_, bytes, status, error) => {
    expectRefusal(await exchange(bytes), status, error);
  });
});

it("a request without Host is 400 in JSON; HTTP/1.0 needs none", async () => {
  const refused = parse(await exchange("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"));
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.body)).toMatchObject({ error: "invalid_request" });
  expect(parse(await exchange("GET /healthz HTTP/1.0\r\n\r\n")).status).toBe(200);
});

/** A separate server with short timeouts. */
async function startServer(app: RequestListener, limits: Partial<ConnectionLimits>) {
  const log = new RequestLog(silentLogger, systemClock);
  const all = { headersMs: 60_000, requestMs: 60_000, silenceMs: 60_000, checkMs: 20, ...limits };
  const server = createHttpServer(app, log, { limits: all });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("a client that is too slow", () => {
  it.each([
    ["with its headers", { headersMs: 50 }, "POST / HTTP/1.1\r\nHost: x\r\n"],
    [
      "with its body",
      { headersMs: 50, requestMs: 50 },
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1",
    ],
  ])("%s gets a JSON response and is disconnected", async (_, limits, bytes) => {
    await using server = await startServer(() => {}, limits);
    expectRefusal(await exchange(bytes, server.url), 408, "invalid_request");
  });

  it("to read its response is disconnected, and its resources are freed", async () => {
    const { promise: freed, resolve } = Promise.withResolvers<boolean>();
    const answer = Buffer.alloc(64 * 1_024 * 1_024);
    await using server = await startServer(
      (_request, response) => {
        response.once("close", () => resolve(response.writableFinished));
        response.end(answer);
      },
      { silenceMs: 100 },
    );
    const socket = open(server.url);
    socket.pause();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await freed).toBe(false);
    socket.destroy();
  });
});

describe("pipelined requests on one connection", () => {
  it("are served one after the other, in order", async () => {
    const served: string[] = [];
    let [open_, most] = [0, 0];
    await using server = await startServer((request, response) => {
      served.push(request.url ?? "");
      open_ += 1;
      most = Math.max(most, open_);
      setImmediate(() => {
        open_ -= 1;
        response.end(request.url);
      });
    }, {});
    const ahead = ["/1", "/2", "/3"].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n`);
    const bytes = `${ahead.join("\r\n")}Connection: close\r\n\r\n`;
    const text = await exchange(bytes, server.url);
    expect(text.match(/\/\d/g)?.filter((path) => path !== "/1.1")).toEqual(
      expect.arrayContaining(["/1", "/2", "/3"]),
    );
    expect(served).toEqual(["/1", "/2", "/3"]);
    expect(most).toBe(1);
  });

  it("are not started once the client has disconnected", async () => {
    const served: string[] = [];
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    await using server = await startServer((request, response) => {
      served.push(request.url ?? "");
      response.once("close", close);
      begin();
    }, {});
    const socket = open(server.url);
    socket.write("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
    await begun;
    socket.destroy();
    await closed;
    await new Promise((resolve) => setImmediate(resolve));
    expect(served).toEqual(["/1"]);
  });

  it("without end are refused: the connection is closed", async () => {
    await using server = await startServer(() => {}, {});
    const socket = open(server.url);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(50));
    expect(await readAll(socket).catch(() => "")).toBe("");
  });
});
