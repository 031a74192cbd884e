import { sql } from "@nutrition/postgres/sql";
import { SubjectKind } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { newId } from "@nutrition/core/ids";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import type { Browser } from "./browser.ts";
import { canRenew, connect, registerClient } from "./assistants.ts";
import type { TestClient } from "./assistants.ts";
import { visibleText } from "./forms.ts";
import { makeMember, signInMember } from "./members.ts";
import type { Member } from "./members.ts";
import { CALL, impatientClock, startWebFixture } from "./web-fixture.ts";
import type { WebFixture } from "./web-fixture.ts";

const PLACE = "/settings/connections";
let web: WebFixture;
let member: Member;
let browser: Browser;
beforeAll(async () => void (web = await startWebFixture({ clock: impatientClock })));
afterAll(() => web[Symbol.asyncDispose]());
beforeEach(async () => {
  web.provider.faults.reset();
  member = await makeMember(web);
  browser = await signInMember(web, member);
});

/** Connects a client and returns it with its refresh token. */
async function connectOne(name = "Claude"): Promise<TestClient & { refreshToken: string }> {
  const client = await registerClient(web, { name });
  const { refreshToken } = await connect(web, browser, client);
  return { ...client, refreshToken };
}

async function accountId(): Promise<string> {
  const selector = { case: "email" as const, value: member.email };
  return (await web.as("admin").auth.getAccount({ selector }, CALL)).account!.id;
}

describe("the page", () => {
  test("explains how to connect when nothing is connected", async () => {
    const page = await browser.get(PLACE);
    expect(page.text).toContain("No assistant is connected yet");
    expect(page.text).toContain(`${web.baseUrl}/mcp`);
    for (const name of [
      "Claude (web and desktop)",
      "Claude Code",
      "ChatGPT",
      "Cursor",
      "VS Code",
      "The MCP Inspector",
      "Any other",
    ]) {
      expect(page.text).toContain(`<summary>${name}</summary>`);
    }
  });

  test("tells an account without premium that it cannot connect assistants yet", async () => {
    const told = "need premium or beta access, which your account does not have yet";
    expect(visibleText((await browser.get(PLACE)).text)).not.toContain(told);
    const basic = await signInMember(web, await makeMember(web, { hasPremium: false }));
    expect(visibleText((await basic.get(PLACE)).text)).toContain(told);
  });

  test("lists each assistant with its host, permission and use", async () => {
    const { clientId } = await connectOne();
    const user = {
      accountId: await accountId(),
      credentialKind: "connector" as const,
      credentialId: clientId,
      scopes: ["service.read"],
    };
    for (let count = 0; count < 3; count += 1) {
      const request = { subjectKind: SubjectKind.CONNECTOR, credentialId: clientId, cost: 1 };
      const counted = { requestId: newId(), ...request };
      await web.as("gateway").limits.count(counted, { ...CALL, user });
    }
    const page = await browser.get(PLACE);
    expect(page.text).toContain("<bdi>Claude</bdi>");
    expect(page.text).toContain('<code class="host">claude.ai</code>');
    expect(page.text).toContain('<option value="read" selected>Read only</option>');
    expect(page.text).toContain("<dt>Last used</dt><dd>never</dd>");
    expect(page.text).toContain("<dt>Requests in 30 days</dt><dd>3</dd>");
  });

  test("shows nobody another person's assistants, and lets nobody change them", async () => {
    const { clientId } = await connectOne("Secret assistant");
    const other = await signInMember(web, await makeMember(web));
    expect((await other.get(PLACE)).text).not.toContain("Secret assistant");
    expect((await other.get(`${PLACE}/revoke?client_id=${clientId}`)).status).toBe(404);
    expect((await other.post(`${PLACE}/revoke`, { client_id: clientId })).status).toBe(404);
    const change = { client_id: clientId, permission: "write" };
    expect((await other.post(`${PLACE}/permission`, change)).status).toBe(404);
    expect((await browser.get(PLACE)).text).toContain('"read" selected');
  });

  test("omits the numbers while they are unavailable", async () => {
    await using away = await startWebFixture();
    const person = await away.makePerson();
    const visitor = await away.signIn(person);
    await away.backends.stop("limits");
    expect((await visitor.get(PLACE)).status).toBe(200);
  });
});

describe("a permission", () => {
  test("can be changed in both directions, with immediate effect", async () => {
    const { clientId } = await connectOne();
    for (const permission of ["write", "read"]) {
      const answer = await browser.post(`${PLACE}/permission`, { client_id: clientId, permission });
      expect(answer).toMatchObject({ status: 303, location: `${PLACE}?done=changed` });
      const page = await browser.get(answer.location);
      expect(page.text).toContain(`<option value="${permission}" selected>`);
      expect(page.text).toContain("The permission was changed");
    }
  });

  test("is refused when it does not exist", async () => {
    const { clientId } = await connectOne();
    const change = { client_id: clientId, permission: "admin" };
    expect((await browser.post(`${PLACE}/permission`, change)).status).toBe(400);
  });
});

describe("disconnecting", () => {
  test("asks first, and then ends the connection on both sides", async () => {
    const client = await connectOne();
    const question = await browser.get(`${PLACE}/revoke?client_id=${client.clientId}`);
    expect(question.text).toContain("Disconnect <bdi>Claude</bdi>?");
    const answer = await browser.post(`${PLACE}/revoke`, { client_id: client.clientId });
    expect(answer).toMatchObject({ status: 303, location: `${PLACE}?done=revoked` });
    expect((await browser.get(answer.location)).text).toContain("No assistant is connected yet");
    expect(await canRenew(web, client, client.refreshToken)).toBe(false);
    expect(await openDeletions()).toBe(0);
  });

  test("takes effect here while the provider fails, and is completed later", async () => {
    const client = await connectOne();
    web.provider.faults.isGrantsApiFailing = true;
    const answer = await browser.post(`${PLACE}/revoke`, { client_id: client.clientId });
    expect(answer.location).toBe(`${PLACE}?done=revoked`);
    expect((await browser.get(PLACE)).text).toContain("No assistant is connected yet");
    expect(await openDeletions()).toBe(1);
    web.provider.faults.reset();
    await makeDeletionsDue();
    await expect.poll(openDeletions, { timeout: 5_000 }).toBe(0);
    expect(await canRenew(web, client, client.refreshToken)).toBe(false);
  });

  test("is completed at the next sign-in when no session is left", async () => {
    const client = await connectOne();
    web.provider.faults.isGrantsApiFailing = true;
    await browser.post(`${PLACE}/revoke`, { client_id: client.clientId });
    await forgetSealedSessions();
    web.provider.faults.reset();
    await signInMember(web, member);
    await expect.poll(openDeletions, { timeout: 5_000 }).toBe(0);
    expect(await canRenew(web, client, client.refreshToken)).toBe(false);
  });
});

async function openDeletions(): Promise<number> {
  const { database } = web.backends.databases.auth;
  const rows = await database.query<{ count: number }>(sql`
    select count(*)::integer as count from upstream_deletions
  `);
  return rows[0]!.count;
}

/** Makes retries due immediately. */
async function makeDeletionsDue(): Promise<void> {
  const { database } = web.backends.databases.auth;
  await database.query(sql`
    update upstream_deletions set due_at = clock_timestamp(), lease_id = null
  `);
}

/** As happens when they are an hour old. */
async function forgetSealedSessions(): Promise<void> {
  const { database } = web.backends.databases.auth;
  await database.query(sql`
    update upstream_deletions
    set due_at = clock_timestamp(), lease_id = null, sealed_session = null
  `);
}
