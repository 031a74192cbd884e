import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

import { expect, it } from "vitest";

import { untilReady } from "../src/readiness.ts";
import type { Wiring } from "../src/wiring.ts";

const BODY = JSON.stringify({ backends: { journal: "serving" } });
const OK = `HTTP/1.1 200 OK\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n`;

/** Waits for a gateway that answers its requests like this, the last answer repeated. */
async function waitFor(signal: AbortSignal, ...answers: ((socket: Socket) => void)[]) {
  await using server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => (answers.length > 1 ? answers.shift() : answers[0])?.(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const wiring = { config: { host: "127.0.0.1" }, ports: { gateway: port } };
  await untilReady(wiring as Wiring, ["gateway"], signal);
}

it("asks again when the gateway resets the connection during its response", async () => {
  const reset = (socket: Socket) =>
    socket.write(OK + BODY.slice(1), () => socket.resetAndDestroy());
  await waitFor(new AbortController().signal, reset, (socket) => socket.end(OK + BODY));
});

it("stops when told to, even while the gateway does not answer", async () => {
  const stop = new AbortController();
  const reason = new Error("stopped");
  await expect(waitFor(stop.signal, () => stop.abort(reason))).rejects.toBe(reason);
});
