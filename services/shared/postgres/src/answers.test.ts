import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

import { keptBytes } from "@nutrition/core/testing-heap";
import { afterEach, expect, it, vi } from "vitest";

import { Database } from "./database.ts";
import { prepared, sql } from "./sql.ts";

const ROW_BYTES = 5_000;
const SILENT_TOO_LONG_MS = 60_000;

const selectText = prepared("select_text", "select repeat('x', $1) as text");

/** These statements need no tables. */
const serverUrl = process.env["TEST_DATABASE_URL"] ?? "";

afterEach(() => void vi.useRealTimers());

it.each([[false], [true]])(
  "keeps no rows once they are read (pipelined: %s)",
  async (pipelined) => {
    await using database = new Database({ url: serverUrl, schema: "public", pipelined });
    const kept = await keptBytes(() => database.query(selectText(ROW_BYTES)));
    expect(kept).toBeLessThan(ROW_BYTES / 2);
  },
);

it("is unavailable when the server goes silent, and connects anew afterwards", async () => {
  const connections: Socket[] = [];
  let isSilent = false;
  const heard = Promise.withResolvers<void>();
  const url = new URL(serverUrl);
  const { hostname, port } = url;
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname);
    connections.push(client, server);
    for (const socket of [client, server]) socket.on("error", () => {});
    client.on("close", () => server.destroy());
    server.on("data", (bytes) => client.write(bytes));
    client.on("data", (bytes) => (isSilent ? heard.resolve() : server.write(bytes)));
  });
  await once(relay.listen(0, "127.0.0.1"), "listening");
  url.port = String((relay.address() as AddressInfo).port);
  try {
    await using database = new Database({ url: url.href, schema: "public", maxConnections: 1 });
    await database.query(sql`select 1`);
    isSilent = true;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answer = database.query(sql`select 2`);
    const refused = expect(answer).rejects.toMatchObject({ kind: "unavailable" });
    await heard.promise;
    vi.advanceTimersByTime(SILENT_TOO_LONG_MS);
    await refused;
    vi.useRealTimers();
    isSilent = false;
    expect(await database.query(sql`select 3 as three`)).toEqual([{ three: 3 }]);
  } finally {
    for (const socket of connections) socket.destroy();
    relay.close();
  }
});
