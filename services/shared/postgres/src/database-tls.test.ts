import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext, TLSSocket } from "node:tls";

import { testAuthority, writeTlsFiles } from "@nutrition/core/testing-certificates";
import { expect, test } from "vitest";

import { Database } from "./database.ts";
import { sql } from "./sql.ts";

test("with verify-full, no password or query reaches a server with a foreign certificate", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "postgres-tls-"));
  stack.defer(() => rm(folder, { recursive: true }));
  const [ours, other] = [testAuthority("ours"), testAuthority("other")];
  const { caFile } = await writeTlsFiles(folder, other, [ours]);
  const received: string[] = [];
  /** Accepts a TLS connection as PostgreSQL does, and closes it at the first message. */
  const start = async (authority: typeof ours) => {
    const secureContext = createSecureContext(authority.issue());
    const server = createServer((socket: Socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        socket.write("S");
        const secure = new TLSSocket(socket, { isServer: true, secureContext });
        secure.on("error", () => {});
        secure.on("data", (bytes) => {
          received.push(bytes.toString());
          secure.destroy();
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    stack.defer(() => void server.close());
    return (server.address() as AddressInfo).port;
  };
  const query = (port: number) => {
    const url = `postgres://journal:password@127.0.0.1:${port}/x?sslmode=verify-full&sslrootcert=${caFile}`;
    const database = stack.use(new Database({ url, schema: "journal" }));
    return database.query(sql`select 1`);
  };
  await expect(query(await start(other))).rejects.toThrow(/certificate/);
  expect(received).toEqual([]);
  await expect(query(await start(ours))).rejects.toMatchObject({ kind: "unavailable" });
  expect(received.join("")).toContain("journal");
});
