import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";

import { launchChromium } from "../../services/web/test/chromium.ts";
import { System } from "../e2e/system.ts";
import { Camera } from "./camera.ts";
import type { Look } from "./camera.ts";
import { connect, inboxOf, REDIRECT_URI, register } from "./connected.ts";
import { Person } from "./person.ts";

// node test/browser/screens.ts FOLDER: takes a screenshot of every page, light and dark, wide and
// on a phone.

const LOOKS: Look[] = (["light", "dark"] as const).flatMap((colorScheme) =>
  [1_280, 390].map((width) => ({ colorScheme, viewport: { width, height: 900 } })),
);

const CLAUDE = "https://claude.ai/api/mcp/auth_callback";
const HOSTILE_NAME = `<b onclick=alert(1)>Claude</b> \u202E${"Superassistant".repeat(20)}`;

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error("A folder is required: node test/browser/screens.ts FOLDER");
await mkdir(folder, { recursive: true });
await using system = await System.start();
await using browser = await launchChromium();
await prepare();
for (const look of LOOKS) {
  const camera = new Camera(resolve(folder), look);
  await takeForVisitor(look, camera);
  await takeConsent(look, camera);
  await takeAccount(look, camera);
  await takeForNewcomer(look, camera);
}

/** Connects several kinds of assistants, and creates and uses keys. */
async function prepare(): Promise<void> {
  const demo = await system.demo();
  await using person = await Person.arrive(browser, system);
  await person.signIn(demo);
  for (const [name, uri] of [
    ["Claude", CLAUDE],
    ["Inspector", "http://localhost:6274/oauth/callback"],
    [HOSTILE_NAME, `https://${"claude-ai.".repeat(15)}example/cb`],
  ] as const) {
    await connect(person, await register(system, name, uri), "Read only");
  }
  for (const name of ["Old script", "Long".repeat(20)]) {
    const options = ["--account", demo.account_id, "--scopes", "service.read", "--name", name];
    await system.admin("keys", "create", ...options);
  }
  for (let count = 0; count < 7; count += 1) await system.get("/api/v1/me", demo.api_key);
}

async function takeForVisitor(look: Look, camera: Camera): Promise<void> {
  await using visitor = await Person.arrive(browser, system, look);
  const { page } = visitor;
  await camera.takeAll(visitor, {
    start: "/",
    "sign-in": "/sign-in",
    "sign-up": "/sign-up",
    "sign-up-sent": "/sign-up?done=sent",
    resend: "/sign-up/resend",
    "link-invitation": "/oauth/callback?type=invite&token_hash=not-a-token",
    "link-elsewhere": "/oauth/callback?state=confirm.x&code=1",
    "report-key": "/report-key",
    recover: "/recover",
    "recover-sent": "/recover?done=sent",
    "consent-incomplete": "/oauth/consent",
    "not-found": "/settings/nothing",
    docs: "/docs",
  });
  await visitor.open("/sign-in");
  await page.getByText("Continue with Google").click();
  await camera.take(visitor, "provider-third-party");
  await takeMailLinks(visitor, camera);
}

/** What links in mails lead to, for a new person: the demo's password has to stay. */
async function takeMailLinks(visitor: Person, camera: Camera): Promise<void> {
  const { page } = visitor;
  const email = `new.person.${crypto.randomUUID().slice(0, 8)}@example.com`;
  await visitor.open("/sign-up");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Send me the link" }).click();
  await page.goto(inboxOf(system));
  await camera.take(visitor, "provider-inbox");
  await page.getByRole("link").first().click();
  await camera.take(visitor, "link-sign-up");
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await camera.take(visitor, "sign-up-password");
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Save the password" }).click();
  await camera.take(visitor, "sign-up-password-refused");
  await page.getByLabel("New password").fill("a long new password");
  await page.getByRole("button", { name: "Save the password" }).click();
  await page.waitForURL("**/journal");
  // Asked for at the provider, because the pages let one network ask for few mails.
  const redirect = new URLSearchParams({ redirect_to: `${system.baseUrl}/oauth/callback` });
  const body = JSON.stringify({ email });
  const issuer = new URL("/auth/v1", inboxOf(system)).href;
  await fetch(`${issuer}/recover?${redirect.toString()}`, { method: "POST", body });
  await page.goto(inboxOf(system));
  await page.getByRole("link").first().click();
  await camera.take(visitor, "recover-link");
  const usedUrl = page.url();
  await page.getByRole("button", { name: "Go on" }).click();
  await camera.take(visitor, "recover-password");
  await page.goto(usedUrl);
  await page.getByRole("button", { name: "Go on" }).click();
  await camera.take(visitor, "link-used");
}

async function takeConsent(look: Look, camera: Camera): Promise<void> {
  const demo = await system.demo();
  await using member = await Person.arrive(browser, system, look);
  const { page } = member;
  await openConsent(member, "Claude", REDIRECT_URI);
  await camera.take(member, "sign-in-to-connect");
  await member.fillSignIn({ ...demo, password: "a wrong password" });
  await camera.take(member, "sign-in-refused");
  await member.fillSignIn(demo);
  await page.getByText("What may it do?").waitFor();
  await camera.take(member, "consent-borrowed-name");
  for (const [name, client, uri] of [
    ["consent", "Claude", CLAUDE],
    ["consent-device", "Inspector", "http://localhost:6274/oauth/callback"],
    ["consent-app", "Cursor", "cursor://anysphere.cursor-mcp/oauth/callback"],
    ["consent-hostile", HOSTILE_NAME, "https://cl\u0430ude.ai/cb"],
  ] as const) {
    await openConsent(member, client, uri);
    await camera.take(member, name);
  }
}

async function takeAccount(look: Look, camera: Camera): Promise<void> {
  await using member = await Person.arrive(browser, system, look);
  const { page } = member;
  await member.signIn(await system.demo());
  await member.open("/settings/keys");
  const keyId = await fromLink(member, /keys\/([^/]+)\/revoke/);
  await page.getByLabel("Name", { exact: true }).fill("A new script");
  await page.getByRole("button", { name: "Create the key" }).click();
  await camera.take(member, "keys-secret");
  await member.open("/settings/connections");
  const clientId = await fromLink(member, /client_id=(.+)/);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await camera.takeAll(member, {
    journal: "/journal",
    "journal-90": "/journal?days=90",
    "journal-day": `/journal/${yesterday}`,
    "journal-empty": "/journal/2020-01-01",
    keys: "/settings/keys",
    "keys-rotate": `/settings/keys/${keyId}/rotate`,
    "keys-revoke": `/settings/keys/${keyId}/revoke`,
    connections: "/settings/connections?done=changed",
    "connections-revoke": `/settings/connections/revoke?client_id=${clientId}`,
    profile: "/settings/profile",
    access: "/settings/access?done=password-changed",
    "sign-in-methods": "/settings/sign-in-methods",
    export: "/settings/export",
    "sign-in-again": "/sign-in?done=again&return_to=/settings/keys",
    "weights-import": "/settings/profile/weights/import",
  });
  await member.open("/settings/profile/weights/import");
  await page.getByLabel("The table").fill("2026-01-05,71.5\n2026-01-06,71.2\nlast week,71");
  await page.getByRole("button", { name: "Preview" }).click();
  await camera.take(member, "weights-import-preview");
  await member.open("/settings/erase");
  await camera.take(member, "erase");
  await page.getByLabel("I understand").check();
  await page.getByRole("button", { name: "Erase in 7 days" }).click();
  await camera.take(member, "erase-scheduled");
  await member.open("/journal");
  await camera.take(member, "erase-announced");
  await page.getByRole("button", { name: "Keep my account" }).click();
  await camera.take(member, "erase-kept");
}

/** A person with a new, empty account without premium. */
async function takeForNewcomer(look: Look, camera: Camera): Promise<void> {
  const { colorScheme, viewport } = look;
  await using newcomer = await Person.arrive(browser, system, look);
  const { page } = newcomer;
  await newcomer.open("/sign-in");
  await page.getByText("Continue with GitHub").click();
  await page.getByLabel("E-mail").fill(`new-${colorScheme}-${viewport.width}@example.com`);
  await page.locator("form.other button").click();
  await page.waitForURL(/\/journal/);
  await camera.takeAll(newcomer, {
    "new-journal": "/journal",
    "new-keys": "/settings/keys",
    "new-connections": "/settings/connections",
    "new-profile": "/settings/profile",
  });
  await openConsent(newcomer, "Claude", CLAUDE);
  await camera.take(newcomer, "new-consent");
}

async function openConsent({ page }: Person, name: string, redirectUri: string): Promise<void> {
  const client = await register(system, name, redirectUri);
  await page.goto((await client.ask()).address.href);
}

/** The pattern's first group in the first matching link's address. */
async function fromLink({ page }: Person, pattern: RegExp): Promise<string> {
  const addresses = await page.locator("main a[href]").evaluateAll((links) => links.map(String));
  return addresses.map((address) => pattern.exec(address)?.[1]).find(Boolean) ?? "";
}
