import { randomBytes } from "node:crypto";

import type { Clock } from "@nutrition/core/clock";
import type { Logger } from "@nutrition/core/logger";

type Environment = NodeJS.ProcessEnv;
interface Options {
  logger: Logger;
  clock?: Clock;
}

/** Starts each service from its environment. Loads only the services that a test starts. */
export const START = {
  async auth(environment: Environment, options: Options) {
    const { readConfig } = await import("@nutrition/auth/config");
    const { startAuth } = await import("@nutrition/auth/service");
    return startAuth(readConfig(environment), options);
  },
  async limits(environment: Environment, options: Options) {
    const { readConfig } = await import("@nutrition/limits/config");
    const { startLimits } = await import("@nutrition/limits/service");
    return startLimits(readConfig(environment), options);
  },
  async analysis(environment: Environment, options: Options) {
    const { readConfig } = await import("@nutrition/analysis/config");
    const { startAnalysis } = await import("@nutrition/analysis/service");
    return startAnalysis(readConfig(environment), options);
  },
  async journal(environment: Environment, options: Options) {
    const { readConfig } = await import("@nutrition/journal/config");
    const { startJournal } = await import("@nutrition/journal/service");
    return startJournal(readConfig(environment), options);
  },
  async web(environment: Environment, options: Options) {
    const { readConfig } = await import("@nutrition/web/config");
    const { startWeb } = await import("@nutrition/web/service");
    return startWeb(readConfig(environment), options);
  },
  async gateway(environment: Environment, options: Options) {
    const { readConfig } = await import("@nutrition/gateway/config");
    const { startGateway } = await import("@nutrition/gateway/service");
    const gateway = await startGateway(readConfig(environment), options);
    return Object.assign(gateway, { address: new URL(gateway.url).host });
  },
} as const;

/** A service that runs in this process. */
export type Running<Name extends keyof typeof START> = Awaited<ReturnType<(typeof START)[Name]>>;

/** A new pepper, as a setting of auth. */
export function newPeppers(): { KEY_PEPPERS: string; KEY_PEPPER_VERSION: string } {
  return { KEY_PEPPERS: newSecrets(), KEY_PEPPER_VERSION: "1" };
}

/** A new secret that signs API keys, as a setting of auth and the gateway. */
export function newSigningSecrets(): { KEY_SIGNING_SECRETS: string } {
  return { KEY_SIGNING_SECRETS: newSecrets() };
}

function newSecrets(): string {
  return JSON.stringify({ 1: randomBytes(32).toString("base64") });
}

/** A new cookie key, as a setting of the pages. */
export function newSessionKeys(): { SESSION_KEYS: string } {
  return { SESSION_KEYS: JSON.stringify([randomBytes(32).toString("base64url")]) };
}
