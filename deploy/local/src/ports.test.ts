import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

import { expect, test } from "vitest";

import { choosePublicPort } from "./ports.ts";

const host = "127.0.0.1";

async function occupyPort() {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => server.close() };
}

test("a default port that is taken gives way to a higher one", async () => {
  using taken = await occupyPort();
  const chosen = await choosePublicPort({ port: { first: taken.port, isFixed: false }, host });
  expect(chosen).toBeGreaterThan(taken.port);
});

test("a port that was asked for and is taken is refused by its number", async () => {
  using taken = await occupyPort();
  const asked = { port: { first: taken.port, isFixed: true }, host };
  await expect(choosePublicPort(asked)).rejects.toThrow(`Port ${taken.port} of 127.0.0.1`);
});
