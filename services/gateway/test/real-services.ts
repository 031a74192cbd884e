import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type { Database } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import { createTestDatabase } from "@nutrition/postgres/testing";
import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { createClient } from "@nutrition/rpc/client";
import type { CallOptions, Client } from "@nutrition/rpc/service-definition";
import type { TestIdentity } from "@nutrition/rpc/testing";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";

/** The auth and limits services as processes of their own, over fresh databases. */
export interface RealServices extends AsyncDisposable {
  readonly addresses: { auth: string; limits: string };
  /** The auth service's database. */
  readonly database: Database;
  /** The auth service, as an operator calls it. */
  readonly admin: Client<typeof AuthService>;
  /** The auth service, as the pages call it. */
  readonly web: Client<typeof AuthService>;
}

const READY_TIMEOUT_MS = 20_000;
/** Nobody listens there. */
const NOWHERE = "127.0.0.1:9";

export async function startRealServices(
  identity: TestIdentity,
  environment: Readonly<Record<string, string>> = {},
): Promise<RealServices> {
  await using resources = new AsyncDisposableStack();
  const [auth, limits] = await Promise.all([
    startProcess("auth", resources, {
      IDENTITY_TRUSTED_KEYS: JSON.stringify(identity.trustedKeys),
      KEY_PEPPERS: JSON.stringify({ 1: randomBytes(32).toString("base64") }),
      KEY_PEPPER_VERSION: "1",
      ...environment,
    }),
    startProcess("limits", resources, {
      IDENTITY_TRUSTED_KEYS: JSON.stringify(identity.trustedKeys),
      IDENTITY_PRIVATE_KEY: JSON.stringify(identity.privateKey("limits")),
      JOURNAL_ADDRESS: NOWHERE,
      ...environment,
    }),
  ]);
  const clientOf = (service: "admin" | "web") => {
    const issuer = identity.issuer(service);
    const transport = new UnaryTransport({ address: auth.address, issuer });
    resources.defer(() => transport.close());
    return createClient(AuthService, transport);
  };
  const [admin, web] = [clientOf("admin"), clientOf("web")];
  const running = resources.move();
  return {
    addresses: { auth: auth.address, limits: limits.address },
    database: auth.database,
    admin,
    web,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Options of a call that acts for nobody. */
export const CALL: CallOptions = { timeoutMs: 5_000 };

/** Begins the session that `asPerson` speaks in, which is named like the account. */
export async function beginSession({ database }: RealServices, accountId: string): Promise<void> {
  await database.query(sql`
    insert into sessions (id, account_id, signed_in_at, last_seen_at)
    values (${accountId}, ${accountId}, clock_timestamp(), clock_timestamp())
    on conflict do nothing
  `);
}

/** Options of a call for a person who is signed in on the pages. */
export function asPerson(accountId: string): CallOptions {
  const user = { accountId, credentialId: accountId, scopes: [] };
  return { ...CALL, user: { ...user, credentialKind: "session" } };
}

async function startProcess(
  name: "auth" | "limits",
  resources: AsyncDisposableStack,
  environment: Readonly<Record<string, string>>,
): Promise<{ address: string; database: Database }> {
  const pathOf = (path: string) => fileURLToPath(new URL(`../../${name}/${path}`, import.meta.url));
  const { url, database } = resources.use(await createTestDatabase(name, pathOf("migrations")));
  const service = spawn(process.execPath, [pathOf("src/main.ts")], {
    env: { PATH: process.env["PATH"], DATABASE_URL: url, ...environment },
    // With the channel to this process gone, the service ends too.
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const ended = once(service, "exit");
  resources.defer(async () => {
    service.kill("SIGTERM");
    await ended;
  });
  return { address: await readAddress(name, service), database };
}

async function readAddress(name: string, { stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error("Its output goes nowhere.");
  const signal = AbortSignal.timeout(READY_TIMEOUT_MS);
  let output = "";
  for (;;) {
    const [chunk] = (await once(stdout, "data", { signal }).catch((cause: unknown) => {
      throw new Error(`The ${name} service did not start:\n${output}`, { cause });
    })) as [Buffer];
    output += chunk.toString();
    const address = /"address":"([^"]+)"/.exec(output)?.[1];
    if (address === undefined) continue;
    stdout.resume();
    return address;
  }
}
