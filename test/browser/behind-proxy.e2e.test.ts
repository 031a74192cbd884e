import dns from "node:dns";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { isWithoutChromium, launchChromium } from "../../services/web/test/chromium.ts";
import { System } from "../e2e/system.ts";
import { REDIRECT_URI } from "./connected.ts";
import { MemoryProvider } from "./memory-provider.ts";
import { currentClient, olderClient } from "./official-clients.ts";
import { Person } from "./person.ts";

const HOST = "journal.localhost";

/** Browsers resolve this name to this machine; the system's resolver may not. */
function resolveHost(): Disposable {
  const { lookup } = dns;
  const onThisMachine = (name: string, ...others: unknown[]) =>
    Reflect.apply(lookup, dns, [name === HOST ? "127.0.0.1" : name, ...others]) as void;
  const spy = vi.spyOn(dns, "lookup").mockImplementation(onThisMachine as typeof lookup);
  return { [Symbol.dispose]: () => spy.mockRestore() };
}

/** A reverse proxy on one port with its own host name, for all requests. */
async function startProxy() {
  let targetPort = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const passed = forward({ host: "127.0.0.1", port: targetPort, method, path: url, headers });
    passed.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    passTo: (port: number) => void (targetPort = port),
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe.skipIf(isWithoutChromium())("behind a reverse proxy with another name", () => {
  let system: System;
  let browser: Browser;
  let baseUrl: string;
  const ends = new AsyncDisposableStack();
  beforeAll(async () => {
    ends.use(resolveHost());
    const proxy = ends.use(await startProxy());
    ({ baseUrl } = proxy);
    browser = await launchChromium();
    ends.defer(() => browser.close());
    system = ends.use(await System.start({ BASE_URL: baseUrl }));
    proxy.passTo(Number(new URL(system.baseUrl).port));
  }, 90_000);
  afterAll(() => ends.disposeAsync());

  it("every address given to clients is the public one", async () => {
    const read = async (path: string) => (await fetch(baseUrl + path)).json() as Promise<object>;
    const issuer = `${baseUrl}/auth/v1`;
    for (const path of ["", "/mcp"]) {
      expect(await read(`/.well-known/oauth-protected-resource${path}`)).toMatchObject({
        resource: `${baseUrl}/mcp`,
        authorization_servers: [issuer],
      });
    }
    for (const path of [
      "/.well-known/oauth-authorization-server/auth/v1",
      "/.well-known/openid-configuration/auth/v1",
      "/auth/v1/.well-known/openid-configuration",
    ]) {
      const metadata = await read(path);
      expect(metadata).toMatchObject({ issuer });
      const addresses = Object.entries(metadata).filter(([name]) => /_(endpoint|uri)$/.test(name));
      expect(addresses.length).toBeGreaterThan(3);
      for (const [, address] of addresses) expect(address).toMatch(`${issuer}/`);
    }
  });

  describe.each([
    ["@modelcontextprotocol/client", currentClient],
    ["@modelcontextprotocol/sdk", olderClient],
  ] as const)("OAuth with %s", (name, open) => {
    it("works from the first 401 to a call over the single port", async () => {
      await using person = await Person.arrive(browser, system);
      const demo = await system.demo();
      const provider = new MemoryProvider(name, REDIRECT_URI);
      const client = open(baseUrl, provider);
      await expect(client.connect()).rejects.toThrow();
      const [address] = provider.opened;
      expect(address?.origin).toBe(baseUrl);
      await person.page.goto(address!.href);
      await person.fillSignIn(demo);
      const returned = await person.allow("Read only", REDIRECT_URI);
      await client.finish(returned.searchParams);
      const { body: profile } = await system.get("/api/v1/me", demo.api_key);
      expect(await client.readProfile()).toEqual(profile);
      expect(person.alarms).toEqual([]);
      await client.close();
    }, 60_000);
  });
});
