import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { startForwarder } from "@nutrition/test-support/forwarder";
import { PostgresServer } from "@nutrition/test-support/postgres-server";
import { expect, test } from "vitest";

import type { Watched } from "./what-is-said.ts";
import {
  complaintsIn,
  conditionsOf,
  doctor,
  logOnce,
  readOnce,
  startWatched,
  transcript,
} from "./what-is-said.ts";

/** Time for which the database's address leads to the old primary after the new one serves. */
const LAG_MS = 12_000;
/** Something that each service needs its database for. */
function workOf(
  { system }: Watched,
  { id, key }: { id: string; key: string },
): Readonly<Record<string, () => Promise<unknown>>> {
  const ok = async (path: string) => {
    const { status, body } = await system.get(path, key);
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  return {
    "auth (creates a key)": () => system.admin("keys", "create", "--account", id),
    "limits (counts a request)": () => ok("/api/v1/me"),
    "journal (reads a day)": () => ok("/api/v1/nutrition/summary"),
    "analysis (finds foods)": () => system.admin("foods", "search", "oats"),
  };
}

/** When each work first succeeded, in milliseconds from now. */
async function firstSuccesses(
  work: ReturnType<typeof workOf>,
): Promise<Readonly<Record<string, number>>> {
  const startedMs = performance.now();
  const times = Object.entries(work).map(async ([name, run]) => {
    while (
      !(await run().then(
        () => true,
        () => false,
      ))
    )
      await sleep(20);
    return [name, Math.round(performance.now() - startedMs)] as const;
  });
  return Object.fromEntries(await Promise.all(times));
}

test("after a failover whose address lags, everything works again as soon as the address follows", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "nutrition-failover-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // PostgreSQL's account needs access.
  await chmod(folder, 0o777);
  const settings = { wal_level: "replica", max_wal_senders: "4" };
  const first = stack.use(await PostgresServer.start({ folder, settings }));
  const second = stack.use(await first.copyTo({ folder, settings }));
  await second.demote(first);
  const address = stack.use(await startForwarder(first.port));
  const watched = stack.use(await startWatched({ DATABASE_URL: first.url(address.port) }));
  const { system } = watched;
  const account = await system.account("failover@example.com", "--premium");
  const work = workOf(watched, account);
  await firstSuccesses(work);
  await expect.poll(() => first.isReplicated()).toBe(true);

  await first.stop();
  await second.promote();
  await first.demote(second);
  const lagsUntilMs = performance.now() + LAG_MS;
  const statuses = new Set<number>();
  const everyone = (condition: string) => (all: string[][]) =>
    all.every((each) => each.includes(condition));
  await expect
    .poll(async () => everyone("read_only")(await conditionsOf(watched)), { timeout: LAG_MS })
    .toBe(true);
  const read = await readOnce(watched, account.key);
  const logged = await logOnce(watched, account.key, "1 apple");
  const { exitCode, text } = await doctor(watched);
  const said = {
    "REST client": JSON.stringify(read),
    "MCP client": JSON.stringify(logged),
    "/readyz of limits at the operations port": (await watched.readinessOf("limits")).text,
    "admin doctor": complaintsIn(text),
  };
  while (performance.now() < lagsUntilMs)
    statuses.add((await readOnce(watched, account.key)).status);

  address.target = second.port;
  const times = await firstSuccesses(work);
  await expect
    .poll(async () => (await conditionsOf(watched)).flat(), { timeout: 90_000 })
    .toEqual([]);
  const terminal = system.output.split("\n").filter((line) => line.includes("module=database"));
  transcript("a demoted primary whose address lags 12 s", {
    ...said,
    "terminal of npm start": terminal.join("\n"),
    "first success after the address followed, in ms": JSON.stringify(times, undefined, 1),
    "statuses of reads meanwhile": [...statuses].join(", "),
  });

  expect(read).toMatchObject({ status: 503, retryAfter: "2" });
  expect(read.body).toContain("service_unavailable");
  expect(logged).toMatchObject({ isError: true, text: expect.stringContaining("Call again in") });
  expect([...statuses]).toEqual([503]);
  expect(exitCode).toBe(1);
  for (const service of ["auth", "limits", "analysis", "journal"]) {
    expect(text).toMatch(new RegExp(`✗ ${service} database +PostgreSQL accepts no writes`));
  }
  expect(terminal.filter((line) => line.includes("PostgreSQL accepts no writes"))).toHaveLength(2);
  expect((await logOnce(watched, account.key, "1 apple")).isError).toBe(false);
}, 240_000);
