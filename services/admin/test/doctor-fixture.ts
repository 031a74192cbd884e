import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { systemClock } from "@nutrition/core/clock";
import { testIdentity } from "@nutrition/rpc/testing";
import { onTestFinished } from "vitest";

import type { AdminConfig } from "../src/config.ts";
import { examine } from "../src/doctor/examine.ts";
import type { Finding } from "../src/doctor/finding.ts";

export const identity = await testIdentity();

/**
 * An HTTP server, for the rest of the test, that answers these paths with JSON and everything else with 404.
 * `refused` is the status of addresses that answer with an error.
 */
export async function site(
  pages: Record<string, object>,
  refused: Record<string, number> = {},
): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const page = pages[url];
    const status = refused[url] ?? (page ? 200 : 404);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(page ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What the doctor finds with these settings. */
export async function findings(changes: Partial<AdminConfig>): Promise<Finding[]> {
  const config: AdminConfig = {
    addresses: {},
    privateKey: identity.privateKey("admin") as AdminConfig["privateKey"],
    internalTls: undefined,
    baseUrl: undefined,
    authUrl: undefined,
    authApiKey: undefined,
    ...changes,
  };
  return examine(config, { ...systemClock, sleep: async () => {} });
}
