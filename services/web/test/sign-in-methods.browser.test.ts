import { sql } from "@nutrition/postgres/sql";
import type { Browser as Engine, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { authorize, connect, registerClient } from "./assistants.ts";
import { isWithoutChromium, launchChromium } from "./chromium.ts";
import { makeMember, signInMember } from "./members.ts";
import type { Member } from "./members.ts";
import { pageFaults } from "./page-faults.ts";
import { startWebFixture } from "./web-fixture.ts";
import type { WebFixture } from "./web-fixture.ts";

const LOOKS = [
  { colorScheme: "light", viewport: { width: 1_280, height: 800 } },
  { colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

describe.skipIf(isWithoutChromium())("in a browser", () => {
  let web: WebFixture;
  let engine: Engine;
  let member: Member;
  beforeAll(async () => {
    web = await startWebFixture();
    engine = await launchChromium();
  });
  afterAll(async () => {
    await engine?.close();
    await web[Symbol.asyncDispose]();
  });

  /** Signs in as a person whose account then sees a sign-in by another method. */
  async function arrive(look: (typeof LOOKS)[number]): Promise<Page> {
    member = await makeMember(web);
    const page = await (await engine.newContext(look)).newPage();
    await page.goto(`${web.baseUrl}/sign-in?return_to=/settings/connections`);
    await page.fill("#email", member.email);
    await page.fill("#password", member.password);
    await page.press("#password", "Enter");
    await page.waitForURL(`${web.baseUrl}/settings/connections`);
    await web.backends.databases.auth.database.query(sql`
      insert into sign_in_methods (account_id, method, first_seen_at)
      select id, 'third_party', now() from accounts where email = ${member.email}
    `);
    return page;
  }

  test.each(LOOKS)("the notice can be read and answered ($colorScheme)", async (look) => {
    const page = await arrive(look);
    await page.goto(`${web.baseUrl}/settings/keys`);
    const notice = page.getByRole("region", { name: "New way to sign in" });
    expect(await notice.textContent()).toContain("through another provider, such as Google");
    expect(await pageFaults(page)).toEqual([]);
    await page.getByRole("link", { name: "It was not me" }).click();
    expect(await page.textContent("h1")).toBe("If it was not you");
    expect(await pageFaults(page)).toEqual([]);
    await page.goto(`${web.baseUrl}/settings/keys`);
    await page.getByRole("button", { name: "It was me" }).click();
    await page.waitForURL(`${web.baseUrl}/settings/keys`);
    expect(await notice.count()).toBe(0);
    await page.context().close();
  });

  test.each(LOOKS)("the confirmation before returning can be read ($colorScheme)", async (look) => {
    const page = await arrive(look);
    const person = await signInMember(web, member);
    const client = await registerClient(web);
    await connect(web, person, client);
    const redirectUri = "https://chatgpt.com/connector_platform_oauth_redirect";
    await connect(web, person, await registerClient(web, { redirectUri }));
    await page.goto(web.baseUrl + (await authorize(web, client)));
    expect(await page.textContent("h1")).toBe("Connect an assistant again?");
    expect(await pageFaults(page)).toEqual([]);
    await page.context().close();
  });
});
