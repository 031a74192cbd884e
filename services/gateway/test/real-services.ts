import { KeyVerifier } from "@nutrition/core/key-signing";
import type { Database } from "@nutrition/postgres/database";
import { sql } from "@nutrition/postgres/sql";
import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { createClient } from "@nutrition/rpc/client";
import type { CallOptions, Client } from "@nutrition/rpc/service-definition";
import type { TestIdentity } from "@nutrition/rpc/testing";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";
import { versionedSecrets } from "@nutrition/service/versioned-secrets";
import { Network } from "@nutrition/test-support/network";

/** The auth and limits services as they are, over fresh databases. */
export interface RealServices extends AsyncDisposable {
  readonly addresses: { auth: string; limits: string };
  /** Verifies the keys that the auth service signs. */
  readonly keyVerifier: KeyVerifier;
  /** The auth service's database. */
  readonly database: Database;
  /** The auth service, as an operator calls it. */
  readonly admin: Client<typeof AuthService>;
  /** The auth service, as the pages call it. */
  readonly web: Client<typeof AuthService>;
}

export async function startRealServices(
  identity: TestIdentity,
  environment: Readonly<Record<string, string>> = {},
): Promise<RealServices> {
  await using resources = new AsyncDisposableStack();
  const network = resources.use(await Network.open(identity));
  const [auth, limits] = await Promise.all([
    network.start("auth", environment),
    network.start("limits", environment),
  ]);
  const { database } = await network.database("auth");
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
    keyVerifier: new KeyVerifier(
      versionedSecrets.parse(network.signingSecrets.KEY_SIGNING_SECRETS),
    ),
    database,
    admin,
    web,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Options of a call without a user. */
export const CALL: CallOptions = { timeoutMs: 5_000 };

/** Begins the session used by `asPerson`, whose id is the account's. */
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
