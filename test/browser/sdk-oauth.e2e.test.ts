import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isWithoutChromium, launchChromium } from "../../services/web/test/chromium.ts";
import { System } from "../e2e/system.ts";
import { askForTools, REDIRECT_URI } from "./connected.ts";
import { MemoryProvider } from "./memory-provider.ts";
import { currentClient, olderClient } from "./official-clients.ts";
import { Person } from "./person.ts";

/** The gateway's clock tolerance of 5 s is added. */
const ACCESS_TOKEN_SECONDS = 3;

describe.skipIf(isWithoutChromium())("the official clients' own OAuth", () => {
  let system: System;
  let browser: Browser;
  beforeAll(async () => {
    const short = { ACCESS_TOKEN_SECONDS: String(ACCESS_TOKEN_SECONDS) };
    browser = await launchChromium();
    system = await System.start(short);
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await system[Symbol.asyncDispose]();
  });

  describe.concurrent.each([
    ["@modelcontextprotocol/client", "127.0.0.1", currentClient],
    ["@modelcontextprotocol/client", "localhost", currentClient],
    ["@modelcontextprotocol/sdk", "localhost", olderClient],
  ] as const)("OAuth with %s, which was given the address as %s", (name, host, open) => {
    it("works from the first 401 to a call, and renews expired tokens", async () => {
      await using person = await Person.arrive(browser, system);
      const demo = await system.demo();
      const provider = new MemoryProvider(name, REDIRECT_URI);
      const client = open(system.baseUrl.replace("127.0.0.1", host), provider);
      await expect(client.connect()).rejects.toThrow();
      const [address] = provider.opened;
      expect(address?.searchParams.get("code_challenge_method")).toBe("S256");

      await person.page.goto(address!.href);
      await person.fillSignIn(demo);
      const returned = await person.allow("Read only", REDIRECT_URI);
      await client.finish(returned.searchParams);
      const { body: profile } = await system.get("/api/v1/me", demo.api_key);
      expect(await client.readProfile()).toEqual(profile);

      const { access_token: first = "", refresh_token: secret } = provider.tokens() ?? {};
      const ask = async () => (await askForTools(system, first)).headers.get("www-authenticate");
      await expect.poll(ask, { timeout: 20_000, interval: 500 }).toContain("token expired");
      expect(await client.readProfile()).toEqual(profile);
      expect(provider.tokens()).not.toMatchObject({ access_token: first });
      expect(provider.tokens()).not.toMatchObject({ refresh_token: secret });
      expect(provider.opened).toHaveLength(1);
      expect(person.alarms).toEqual([]);
      await client.close();
    }, 60_000);
  });
});
