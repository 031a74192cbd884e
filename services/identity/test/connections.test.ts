import { connect } from "node:net";
import type { Socket } from "node:net";

import { afterEach, expect, it } from "vitest";

import { startIdentity } from "../src/service.ts";
import { testConfig } from "./target.ts";

/** As many as the provider has at a time. */
const CONNECTIONS = 1_000;

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
});

it("serves newcomers however many idle connections there are", async () => {
  await using identity = await startIdentity(testConfig());
  const { hostname, port } = new URL(identity.issuer);
  for (let count = 0; count < CONNECTIONS; count += 1) {
    const socket = connect(Number(port), hostname).on("error", () => {});
    sockets.push(socket);
    await new Promise((resolve) => socket.once("connect", resolve));
  }
  const response = await fetch(`${identity.issuer}/.well-known/jwks.json`);
  expect(response.status).toBe(200);
});
