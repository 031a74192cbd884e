import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { Clock } from "@nutrition/core/clock";
import { systemClock } from "@nutrition/core/clock";
import type { CryptoKey, JWK, JWTHeaderParameters, JWTPayload } from "jose";
import { SignJWT, exportJWK, generateKeyPair } from "jose";

/** A key pair for an identity provider to sign with. */
export interface SigningKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** Changes to a valid access token; undefined claims are left out. */
export interface TokenChanges {
  claims?: Readonly<Record<string, unknown>>;
  header?: Partial<JWTHeaderParameters>;
  key?: SigningKey;
}

/** For tests: a key set on a real port, and tokens that no real provider would sign. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  /** The served keys; the first one signs. */
  keys: SigningKey[];
  /** Response of the key set; 200 with its keys by default. */
  status: number;
  /** Number of requests for the key set. */
  readonly asked: number;
  /** The access token of an OAuth client, valid for an hour. */
  token(changes?: TokenChanges): Promise<string>;
}

export const TEST_AUDIENCE = "authenticated";

export async function makeSigningKey(algorithm = "ES256"): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const kid = randomUUID();
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: "sig" };
  return { kid, algorithm, privateKey, publicJwk };
}

export async function startTestProvider(clock: Clock = systemClock): Promise<TestProvider> {
  let requestCount = 0;
  const server = createServer((_request, response) => {
    requestCount += 1;
    response.statusCode = provider.status;
    response.end(JSON.stringify({ keys: provider.keys.map(({ publicJwk }) => publicJwk) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const provider: TestProvider = {
    issuer: `http://127.0.0.1:${port}/auth/v1`,
    keys: [await makeSigningKey()],
    status: 200,
    get asked() {
      return requestCount;
    },
    token: ({ claims, header, key = provider.keys[0] } = {}) => {
      if (!key) throw new Error("The provider has no key to sign with.");
      return new SignJWT({ ...goodClaims(provider.issuer, clock), ...claims })
        .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: "JWT", ...header })
        .sign(key.privateKey);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

function goodClaims(issuer: string, clock: Clock): JWTPayload {
  const nowS = Math.floor(clock.now().getTime() / 1_000);
  return {
    iss: issuer,
    sub: "7d1f1e5e-0000-4000-8000-000000000001",
    aud: TEST_AUDIENCE,
    iat: nowS,
    exp: nowS + 3_600,
    email: "ada@example.com",
    role: "authenticated",
    session_id: "7d1f1e5e-0000-4000-8000-000000000002",
    is_anonymous: false,
    user_metadata: { name: "Ada" },
    client_id: "7d1f1e5e-0000-4000-8000-000000000003",
  };
}
