import pg from "pg";
import { expect, test } from "vitest";

import { StatementCounter } from "./statement-counter.ts";

/** A client of the suite's server, which is reached through the counter. */
async function connectThrough(counter: StatementCounter, options: pg.ClientConfig = {}) {
  const connectionString = counter.through(process.env["TEST_DATABASE_URL"] ?? "");
  const client = new pg.Client({ connectionString, ...options });
  await client.connect();
  const role = decodeURIComponent(new URL(connectionString).username);
  counter.take();
  return { role, client, [Symbol.asyncDispose]: () => client.end() };
}

test("counts a round trip for each statement that waits for the one before", async () => {
  await using counter = await StatementCounter.start(process.env["TEST_DATABASE_URL"] ?? "");
  await using connected = await connectThrough(counter);
  const { role, client } = connected;
  await client.query("select 1");
  await client.query("select $1::int", [2]);
  await client.query({ name: "three", text: "select $1::text", values: ["x".repeat(200_000)] });
  expect(counter.take()).toEqual(new Map([[role, { statements: 3, roundTrips: 3 }]]));
  expect(counter.take()).toEqual(new Map());
});

test("counts one round trip for statements that are sent together", async () => {
  await using counter = await StatementCounter.start(process.env["TEST_DATABASE_URL"] ?? "");
  await using connected = await connectThrough(counter, { pipeline: true } as pg.ClientConfig);
  const { role, client } = connected;
  await Promise.all(["begin", "select 1", "commit"].map((text) => client.query(text)));
  expect(counter.take()).toEqual(new Map([[role, { statements: 3, roundTrips: 1 }]]));
});

test("ends its connections with those of the clients", async () => {
  const counter = await StatementCounter.start(process.env["TEST_DATABASE_URL"] ?? "");
  const { client } = await connectThrough(counter);
  await client.end();
  // Resolves only once no connection is open.
  await expect(counter[Symbol.asyncDispose]()).resolves.toBeUndefined();
});
