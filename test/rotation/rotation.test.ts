import { testAuthority } from "@nutrition/core/testing-certificates";
import { Database } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import type { RotationStep } from "@nutrition/setup/secrets/rotate-secret";
import { RPC_SERVICES } from "@nutrition/local/topology";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Installation } from "./installation.ts";
import { Load } from "./load.ts";
import type { Service } from "./services.ts";

const TIMEOUT_MS = 240_000;

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.start();
}, 120_000);
afterAll(() => installation[Symbol.asyncDispose]());

let people = 0;
async function newKey(email: string): Promise<string> {
  const scopes = ["--scopes", "service.read,nutrition.write"];
  const created = await installation.admin<{ key: string }>(
    ...["keys", "create", "--account", email],
    ...scopes,
  );
  return created.key;
}

/** Runs `work` while people read and write; none may notice. */
async function underLoad(work: (load: Load, email: string) => Promise<void>): Promise<void> {
  people += 1;
  const email = `rotation-${people}@example.com`;
  await installation.admin("accounts", "create", "--email", email, "--premium");
  const load = new Load(installation, await newKey(email));
  try {
    await work(load, email);
  } finally {
    await load[Symbol.asyncDispose]();
  }
  expect(load.failures, installation.warnings).toEqual([]);
  expect(await load.lost()).toEqual([]);
  console.log(`${load.reads} reads and ${load.written.length} writes, none failed or lost`);
  expect(load.reads).toBeGreaterThan(100);
  expect(load.written.length).toBeGreaterThan(5);
}

test.each<[string, Record<RotationStep, readonly Service[]>]>([
  // The services to restart: those that verify the key, its owner, those that verify the key.
  ["identity-key-gateway", { begin: RPC_SERVICES, switch: ["gateway"], end: RPC_SERVICES }],
  [
    "identity-key-journal",
    { begin: ["analysis", "limits"], switch: ["journal"], end: ["analysis", "limits"] },
  ],
  ["identity-key-limits", { begin: ["journal"], switch: ["limits"], end: ["journal"] }],
])(
  "replacing %s fails no request",
  async (entry, services) => {
    await underLoad(async () => {
      for (const step of ["begin", "switch", "end"] as const) {
        installation.rotate(entry, step);
        await installation.roll(...services[step]);
      }
    });
  },
  TIMEOUT_MS,
);

test(
  "replacing the database's passwords fails no request",
  async () => {
    const each = (step: RotationStep) => {
      for (const name of RPC_SERVICES) installation.rotate(`database-password-${name}`, step);
    };
    await underLoad(async (load) => {
      each("begin");
      await installation.roll(...RPC_SERVICES);
      each("switch");
      await installation.prepareDatabase();
      const since = await load.whilePaused(closeConnections);
      // Without imported foods, nothing else uses the tables of analysis.
      await installation.admin("foods", "search", "almonds");
      await untilConnected(RPC_SERVICES, since);
      await installation.roll(...RPC_SERVICES);
      each("end");
      await installation.roll(...RPC_SERVICES);
    });
  },
  TIMEOUT_MS,
);

test(
  "replacing the peppers fails no request; old keys work until the old pepper is removed",
  async () => {
    await underLoad(async (load, email) => {
      const old = load.key;
      installation.rotate("key-peppers", "begin");
      await installation.roll("auth", "gateway");
      installation.rotate("key-peppers", "switch");
      await installation.roll("auth", "gateway");
      load.key = await newKey(email);
      expect(await statusWith(old)).toBe(200);
      installation.rotate("key-peppers", "end");
      await installation.roll("auth", "gateway");
      await expect.poll(() => statusWith(old)).toBe(401);
    });
  },
  TIMEOUT_MS,
);

test(
  "replacing certificates and their authority fails no request",
  async () => {
    const [old, next] = [installation.authority, testAuthority("next")];
    await underLoad(async () => {
      await installation.certify(old, [old, next]);
      await installation.roll(...RPC_SERVICES, "gateway");
      await installation.certify(next, [old, next]);
      await installation.roll(...RPC_SERVICES, "gateway");
      await installation.certify(next);
      await installation.roll(...RPC_SERVICES, "gateway");
    });
  },
  TIMEOUT_MS,
);

async function statusWith(key: string): Promise<number> {
  const response = await fetch(`${installation.baseUrl}/api/v1/me`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await response.arrayBuffer();
  return response.status;
}

/** Makes all services open new connections, with the current passwords of their roles. */
async function closeConnections(): Promise<Date> {
  await using database = openDatabase();
  const [now] = await database.query<{ at: Date }>(sql`select clock_timestamp() as at`);
  await database.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where usename = any (${RPC_SERVICES})`);
  const since = now?.at ?? new Date();
  const left = () =>
    database.query(sql`
      select pid from pg_stat_activity where usename = any (${RPC_SERVICES}) and backend_start < ${since}`);
  await expect.poll(left).toEqual([]);
  return since;
}

/** Resolves when each service has opened a new connection that is still open. */
async function untilConnected(services: readonly Service[], since: Date): Promise<void> {
  await using database = openDatabase();
  const connected = async () => {
    const rows = await database.query<{ name: string }>(sql`
      select distinct usename::text as name from pg_stat_activity where backend_start > ${since}`);
    return rows.map(({ name }) => name);
  };
  await expect.poll(connected, { timeout: 60_000 }).toEqual(expect.arrayContaining([...services]));
}

function openDatabase(): Database {
  return new Database({ url: installation.adminUrl, schema: "public" });
}
