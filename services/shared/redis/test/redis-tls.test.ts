import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";

import { silentLogger } from "@nutrition/core/logger";
import { Secret } from "@nutrition/core/secret";
import { testAuthority, writeTlsFiles } from "@nutrition/core/testing-certificates";
import { expect, test } from "vitest";

import { connectRedis } from "../src/connection.ts";

test("refuses a Redis whose certificate another authority signed", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "redis-tls-"));
  stack.defer(() => rm(folder, { recursive: true }));
  const [ours, other] = [testAuthority("ours"), testAuthority("other")];
  const { caFile } = await writeTlsFiles(folder, other, [ours]);
  const received: string[] = [];
  const start = async (authority: typeof ours) => {
    const server = createServer(authority.issue(), (socket) => {
      socket.on("data", (bytes) => received.push(bytes.toString()));
      socket.on("error", () => {});
      stack.defer(() => void socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    stack.defer(() => void server.close());
    return (server.address() as AddressInfo).port;
  };
  const connect = (port: number) => {
    const url = new Secret(`rediss://127.0.0.1:${port}?sslrootcert=${caFile}`);
    return stack.use(connectRedis({ url, logger: silentLogger, purpose: "a test" })).redis;
  };
  const refused = connect(await start(other));
  await new Promise((resolve) => refused.once("error", resolve));
  expect(received).toEqual([]);
  connect(await start(ours));
  await expect.poll(() => received.join("").toLowerCase()).toContain("info");
});
