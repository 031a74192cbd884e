import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

import { expect, test } from "vitest";

import { choosePublicPort, findFreePorts, onFreePort } from "./ports.ts";

const host = "127.0.0.1";

async function occupyPort() {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => server.close() };
}

test("a used default port gives way to a higher one", async () => {
  using taken = await occupyPort();
  const chosen = await choosePublicPort({ port: { first: taken.port, isFixed: false }, host });
  expect(chosen).toBeGreaterThan(taken.port);
});

test("the default port is preferred at every start, so that addresses stay the same", async () => {
  const [port = 0] = await findFreePorts(1);
  const request = { port: { first: port, isFixed: false }, host };
  expect([await choosePublicPort(request), await choosePublicPort(request)]).toEqual([port, port]);
});

test("refuses a requested port that is in use, by number", async () => {
  using taken = await occupyPort();
  const request = { port: { first: taken.port, isFixed: true }, host };
  await expect(choosePublicPort(request)).rejects.toThrow(`Port ${taken.port} of 127.0.0.1`);
});

test("chosen ports are distinct, and outside of the system's ephemeral range", async () => {
  const ports = await findFreePorts(20);
  expect(new Set(ports).size).toBe(20);
  for (const port of ports) expect(port).toBeLessThan(32_768);
});

test("tries another port when the first has been taken in the meantime", async () => {
  await using taken = new AsyncDisposableStack();
  const tried: number[] = [];
  const started = await onFreePort(async (port) => {
    tried.push(port);
    if (tried.length > 2) return port;
    const other = createServer().listen(port, host);
    taken.defer(() => void other.close());
    await once(other, "listening");
    throw new Error("Address already in use");
  });
  expect(tried.length).toBe(3);
  expect(started).toBe(tried.at(-1));
});

test("does not retry after any other failure", async () => {
  let starts = 0;
  const start = async () => {
    starts += 1;
    throw new Error("no luck");
  };
  await expect(onFreePort(start)).rejects.toThrow("no luck");
  expect(starts).toBe(1);
});
