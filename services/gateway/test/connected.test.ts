import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";

import { afterEach, beforeEach, expect, it } from "vitest";

import { startFixture } from "./gateway-fixture.ts";

let stack: AsyncDisposableStack;
beforeEach(() => void (stack = new AsyncDisposableStack()));
afterEach(() => stack.disposeAsync());

/** A server that accepts connections and counts them. */
async function startBackend() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const sessions: { destroy(): void }[] = [];
  server.on("session", (session) => sessions.push(session));
  stack.defer(async () => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { sessions, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it("is connected to all backends before it accepts requests", async () => {
  const [auth, journal, limits] = [
    await startBackend(),
    await startBackend(),
    await startBackend(),
  ];
  stack.use(
    await startFixture({
      backends: { auth: auth.address, journal: journal.address, limits: limits.address },
    }),
  );
  for (const { sessions } of [auth, journal, limits]) expect(sessions).toHaveLength(1);
});

it("accepts requests while a backend cannot be reached", async () => {
  const fixture = stack.use(await startFixture({ backends: { journal: "127.0.0.1:1" } }));
  expect((await fixture.get("/healthz")).status).toBe(200);
});
