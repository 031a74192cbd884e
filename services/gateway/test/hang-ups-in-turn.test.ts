import type { ClientRequest } from "node:http";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

import { Router } from "express";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";

import {
  HANG_UPS_AT_ONCE_MAX,
  HANG_UP_PAUSE_MS,
  TURNS_PER_NETWORK,
} from "../src/http/hang-up-pace.ts";
import { bareApp } from "./bare-app.ts";
import { PausingClock } from "./pausing-clock.ts";

const [IMPATIENT, CALM] = ["192.0.2.1", "198.51.100.1"];
const clock = new PausingClock("2026-11-21T12:00:00Z");
let begun = 0;
let gone = 0;
const routes = Router()
  .get("/answered", (_request, response) => void response.end("Hello"))
  .get("/pending", (_request, response) => {
    begun += 1;
    response.once("close", () => (gone += 1));
  });
const server = createServer(bareApp([routes], 1, clock));

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());
beforeEach(async () => {
  await clock.endPauses();
  clock.advance(1_000);
  begun = 0;
  gone = 0;
});

function ask(path: string, client: string, agent?: Agent): ClientRequest {
  const { port } = server.address() as AddressInfo;
  const headers = { "x-forwarded-for": client };
  const sent = request({ port, path, headers, agent: agent ?? false });
  return sent.on("error", () => {}).end();
}

function statusOf(sent: ClientRequest): Promise<number | undefined> {
  return new Promise((resolve) => {
    sent.on("response", (response) =>
      response.resume().on("end", () => resolve(response.statusCode)),
    );
  });
}

/** Lets clients disconnect during their requests, by default until further ones are delayed. */
async function hangUp(count = HANG_UPS_AT_ONCE_MAX + 1): Promise<void> {
  const sent = Array.from({ length: count }, () => ask("/pending", IMPATIENT));
  await expect.poll(() => begun).toBe(count);
  for (const one of sent) one.destroy();
  await expect.poll(() => gone).toBe(count);
}

it("does no work for a new connection that ends soon, once its network has disconnected often", async () => {
  await hangUp();
  const closed = new Promise((resolve) => {
    server.once("connection", (socket) => socket.once("close", resolve));
  });
  const impatient = ask("/pending", IMPATIENT);
  await expect.poll(() => clock.pauses).toBe(1);
  impatient.destroy();
  await closed;
  await clock.endPauses();
  expect(begun).toBe(HANG_UPS_AT_ONCE_MAX + 1);
});

it("serves others on new connections of that network a moment later", async () => {
  await hangUp();
  const before = clock.monotonicMs();
  const status = statusOf(ask("/answered", IMPATIENT));
  await expect.poll(() => clock.pauses).toBe(1);
  await clock.endPauses();
  expect(await status).toBe(200);
  expect(clock.monotonicMs() - before).toBe(HANG_UP_PAUSE_MS);
});

it("delays no connection in use, no other network, and nobody a second later", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  expect(await statusOf(ask("/answered", IMPATIENT, agent))).toBe(200);
  await hangUp();
  expect(await statusOf(ask("/answered", IMPATIENT, agent))).toBe(200);
  expect(await statusOf(ask("/answered", CALM))).toBe(200);
  clock.advance(1_000);
  expect(await statusOf(ask("/answered", IMPATIENT))).toBe(200);
  expect(clock.pauses).toBe(0);
});

it("delays no connection while few clients disconnect", async () => {
  await hangUp(HANG_UPS_AT_ONCE_MAX);
  expect(await statusOf(ask("/answered", IMPATIENT))).toBe(200);
  expect(clock.pauses).toBe(0);
});

it("serves every new connection of that network, a few per turn, and other networks at once", async () => {
  await hangUp();
  let answered = 0;
  const count = 2 * TURNS_PER_NETWORK + 1;
  const all = Array.from({ length: count }, async () => {
    expect(await statusOf(ask("/answered", IMPATIENT))).toBe(200);
    answered += 1;
  });
  await expect.poll(() => clock.pauses).toBe(count);
  for (const served of [TURNS_PER_NETWORK, 2 * TURNS_PER_NETWORK, count]) {
    await clock.endPauses();
    await expect.poll(() => answered).toBe(served);
    expect(await statusOf(ask("/answered", CALM))).toBe(200);
    expect(answered).toBe(served);
  }
  await Promise.all(all);
});

it("gives no turn to a connection that ends while it waits for one", async () => {
  await hangUp();
  const impatient = Array.from({ length: 3 * TURNS_PER_NETWORK }, () => ask("/pending", IMPATIENT));
  await expect.poll(() => clock.pauses).toBe(impatient.length);
  await clock.endPauses();
  await expect.poll(() => begun).toBe(HANG_UPS_AT_ONCE_MAX + 1 + TURNS_PER_NETWORK);
  for (const one of impatient) one.destroy();
  const patient = statusOf(ask("/answered", IMPATIENT));
  await expect.poll(() => clock.pauses).toBe(TURNS_PER_NETWORK + 1);
  await clock.endPauses();
  expect(await patient).toBe(200);
  expect(begun).toBe(HANG_UPS_AT_ONCE_MAX + 1 + TURNS_PER_NETWORK);
});
