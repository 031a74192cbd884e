import { systemClock } from "@nutrition/core/clock";
import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";
import { silentLogger } from "@nutrition/core/logger";
import type { TestIdentity } from "@nutrition/rpc/testing";
import { testIdentity } from "@nutrition/rpc/testing";

import type { GatewayConfig } from "../src/config.ts";
import { SHIPPED_POLICIES } from "../src/config.ts";
import type { RunningGateway } from "../src/service.ts";
import { startGateway } from "../src/service.ts";
import type { FakeBackends } from "./fake-backends.ts";
import { FULL_KEY, startFakeBackends } from "./fake-backends.ts";

export const BASE_URL = "http://localhost:3000";
export const SUPPORT = "help@example.com";
/** An identity provider that is always unavailable. */
export const AUTH_URL = "http://127.0.0.1:9/auth/v1";

/** A gateway on a free port in front of fake backends. */
export interface GatewayFixture extends AsyncDisposable {
  readonly fakes: FakeBackends;
  readonly gateway: RunningGateway;
  /** A request with a valid key, unless headers say otherwise. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(path: string, init: RequestInit): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is not JSON. */
  readonly body: unknown;
}

export interface FixtureOptions {
  config?: Partial<GatewayConfig>;
  clock?: Clock;
  logger?: Logger;
  /** Keys that the backends trust; new ones by default. */
  identity?: TestIdentity;
  /** Real backends instead of fake ones. */
  backends?: Partial<GatewayConfig["backends"]>;
}

export async function startFixture(options: FixtureOptions = {}): Promise<GatewayFixture> {
  const { clock = systemClock, logger = silentLogger } = options;
  const identity = options.identity ?? (await testIdentity());
  const fakes = await startFakeBackends(identity);
  const config: GatewayConfig = {
    host: "127.0.0.1",
    port: 0,
    baseUrl: BASE_URL,
    authUrl: AUTH_URL,
    oauthAudience: "authenticated",
    webUrl: undefined,
    redisUrl: undefined,
    support: SUPPORT,
    trustProxyHops: 0,
    proxyTrust: "set",
    allowedOrigins: [],
    allowedHosts: [],
    leaveMs: 0,
    limitsPolicyFile: SHIPPED_POLICIES,
    backends: { ...fakes.addresses, ...options.backends },
    identity: { privateKey: identity.privateKey("gateway") as never },
    ...options.config,
  };
  const gateway = await startGateway(config, { clock, logger });
  const send = async (path: string, init: RequestInit) =>
    answerOf(await fetch(gateway.url + path, { redirect: "manual", ...init }));
  return {
    fakes,
    gateway,
    send,
    get: (path, headers = bearer(FULL_KEY)) => send(path, { headers }),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await fakes[Symbol.asyncDispose]();
    },
  };
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
