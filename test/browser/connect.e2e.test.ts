import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { decide } from "../../services/identity/test/assistant.ts";
import { signIn } from "../../services/identity/test/target.ts";
import { isWithoutChromium, launchChromium } from "../../services/web/test/chromium.ts";
import { connectAssistant } from "../e2e/assistants.ts";
import type { Demo } from "../e2e/system.ts";
import { System } from "../e2e/system.ts";
import { askForTools, connect, issuerOf, register } from "./connected.ts";
import { Person } from "./person.ts";

const READ_TOOLS = [
  "get_nutrition_summary",
  "get_profile",
  "list_food_entries",
  "list_weight_history",
];
const REVOKED_WITHIN_MS = 5_000;

describe.skipIf(isWithoutChromium())("connecting an assistant", () => {
  let system: System;
  let browser: Browser;
  let demo: Demo;
  beforeAll(async () => {
    browser = await launchChromium();
    system = await System.start();
    demo = await system.demo();
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await system[Symbol.asyncDispose]();
  });

  async function signedIn(): Promise<Person> {
    const person = await Person.arrive(browser, system);
    await person.signIn(demo);
    return person;
  }

  /** The clients whose approval the identity provider remembers. */
  async function approvedUpstream(): Promise<string[]> {
    const provider = await signIn({ issuer: await issuerOf(system), ...demo, headers: {} });
    const { data } = await provider.oauth.listGrants();
    return data!.map(({ client }) => client.id);
  }

  it("an assistant may read, then write, then nothing, as the person decides", async () => {
    await using person = await Person.arrive(browser, system);
    const { page } = person;
    const client = await register(system, "Reader");
    const { address, codeVerifier } = await client.ask();

    await page.goto(address.href);
    expect(await person.heading()).toBe("Sign in");
    expect(page.url()).not.toContain("authorization_id");
    await person.fillSignIn(demo);
    await page.getByText("What may it do?").waitFor();
    expect(await person.heading()).toBe("Connect Reader to your journal?");
    expect(await page.locator("dl.facts").innerText()).toContain("assistant.example");
    const back = await person.allow("Read only", client.redirectUri);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.any(String) as string,
      state: "the state",
    });
    const code = back.searchParams.get("code") ?? "";
    const { access_token: token, refresh_token: refreshToken = "" } = await client.exchange(
      code,
      codeVerifier,
    );

    await using assistant = await connectAssistant(system.baseUrl, token);
    expect((await assistant.listTools()).toSorted()).toEqual(READ_TOOLS);
    const read = await assistant.call("get_nutrition_summary", {});
    const { body: summary } = await system.get("/api/v1/nutrition/summary", demo.api_key);
    expect(read).toMatchObject({ isError: false, structured: summary });
    const refused = await assistant.call("log_food", { food_text: "1 banana" });
    expect(refused).toMatchObject({ isError: true, structured: undefined });
    expect(JSON.parse(refused.text)).toEqual({
      error: "insufficient_scope",
      message: expect.stringContaining("/settings/connections") as string,
      status: 403,
    });

    await person.changePermission("Reader", "Read and log");
    const logged = await assistant.call("log_food", { food_text: "1 banana" });
    expect(logged.isError, logged.text).toBe(false);
    // Clients cache the tool list for minutes; a new client sees the change.
    await using restarted = await connectAssistant(system.baseUrl, token);
    expect(await restarted.listTools()).toContain("log_food");
    const { date } = logged.structured as { date: string };
    await person.open(`/journal/${date}`);
    await page.getByText("Changes of this day").click();
    expect(await page.locator("main").innerText()).toMatch(/1 banana[^]*Reader/);

    expect(await approvedUpstream()).toContain(client.information.client_id);
    await person.disconnect("Reader");
    expect(await person.assistant("Reader").count()).toBe(0);
    const ask = () => askForTools(system, token);
    await expect.poll(async () => (await ask()).status, { timeout: REVOKED_WITHIN_MS }).toBe(401);
    const { body, headers } = await ask();
    expect(body).toEqual({
      error: "invalid_token",
      message: expect.stringContaining("revoked") as string,
    });
    expect(headers.get("www-authenticate")).toMatch(
      /^Bearer error="invalid_token", .*resource_metadata="[^"]+\/oauth-protected-resource\/mcp"/,
    );
    expect(await approvedUpstream()).not.toContain(client.information.client_id);
    await expect(client.refresh(refreshToken)).rejects.toThrow();
    expect(person.alarms).toEqual([]);
  }, 60_000);

  it("a denied assistant gets an error and is not connected", async () => {
    await using person = await signedIn();
    const client = await register(system, "Denied");
    await person.page.goto((await client.ask()).address.href);
    const back = await person.deny(client.redirectUri);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: "access_denied",
      state: "the state",
    });
    expect(back.searchParams.has("code")).toBe(false);
    await person.open("/settings/connections");
    expect(await person.assistant("Denied").count()).toBe(0);
    expect(await approvedUpstream()).not.toContain(client.information.client_id);
  });

  it("an approval that bypassed our page authorizes nothing", async () => {
    const provider = await signIn({ issuer: await issuerOf(system), ...demo, headers: {} });
    const client = await register(system, "Bypass");
    const { authorizationId, codeVerifier } = await client.begin();
    const redirect = await decide(provider, authorizationId);
    const { access_token: token } = await client.exchange(
      redirect.searchParams.get("code") ?? "",
      codeVerifier,
    );
    const { status, body, headers } = await askForTools(system, token);
    expect(status).toBe(403);
    expect(body).toEqual({
      error: "connector_not_authorized",
      message: expect.stringContaining("connecting it again") as string,
    });
    expect(headers.get("www-authenticate")).toBeNull();
  });

  it("connecting again issues new tokens, and does not revive old ones", async () => {
    await using person = await signedIn();
    const client = await register(system, "Returning");
    const { access_token: old } = await connect(person, client, "Read and log");
    expect((await askForTools(system, old)).status).toBe(200);
    await person.disconnect("Returning");
    const { access_token: renewed } = await connect(person, client, "Read only");
    expect((await askForTools(system, renewed)).status).toBe(200);
    const ask = async () => (await askForTools(system, old)).body;
    await expect
      .poll(ask, { timeout: REVOKED_WITHIN_MS })
      .toMatchObject({ error: "invalid_token" });
  }, 30_000);
});
