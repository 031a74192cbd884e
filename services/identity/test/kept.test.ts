import { copyFile, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startIdentity } from "../src/service.ts";
import { Assistant, REDIRECT_URI } from "./assistant.ts";
import { signIn, targetOf, testConfig, tokenOf } from "./target.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "identity-"));
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * Starts with a data file; the target is the address it really listens on, whatever the issuer
 * says.
 */
async function start(name: string, issuer?: string) {
  const identity = await startIdentity(testConfig({ dataFile: join(folder, name), issuer }));
  const target = { ...targetOf(identity), issuer: `http://${identity.address}/auth/v1` };
  return { identity, target };
}

test("a connected assistant continues after a restart, and old tokens stay valid", async () => {
  const first = await start("kept.json");
  const person = await signIn(first.target);
  const assistant = await Assistant.register(first.target.issuer);
  const tokens = await assistant.connect(person);
  const session = await tokenOf(person);
  await first.target[Symbol.asyncDispose]();

  const { issuer } = first.identity;
  const second = await start("kept.json", issuer);
  const address = second.target.issuer;
  const keys = createRemoteJWKSet(new URL(`${address}/.well-known/jwks.json`));
  await jwtVerify(tokens.access_token, keys, { issuer });
  const refreshed = await fetch(`${address}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "refresh_token",
      client_id: assistant.information.client_id,
      refresh_token: tokens.refresh_token ?? "",
    }),
  });
  expect(refreshed.status).toBe(200);
  const headers = { authorization: `Bearer ${session}` };
  const grants = await fetch(`${address}/user/oauth/grants`, { headers });
  expect(await grants.json()).toHaveLength(1);
  await second.target[Symbol.asyncDispose]();
});

test("only its owner can read the file, and nothing is left beside it", async () => {
  const { target } = await start("private.json");
  expect((await stat(join(folder, "private.json"))).mode & 0o777).toBe(0o600);
  await target[Symbol.asyncDispose]();
  expect((await readdir(folder)).filter((name) => name.endsWith(".new"))).toEqual([]);
});

test("every acknowledged change is in the file, however many requests are concurrent", async () => {
  const first = await start("many.json");
  const clients = await Promise.all(
    Array.from({ length: 20 }, () => Assistant.register(first.target.issuer)),
  );
  // Simulates a power failure: nothing is saved at the end.
  await copyFile(join(folder, "many.json"), join(folder, "copy.json"));
  await first.target[Symbol.asyncDispose]();
  const second = await start("copy.json");
  for (const { information } of clients) {
    const query = new URLSearchParams({
      client_id: information.client_id,
      redirect_uri: REDIRECT_URI,
    });
    const address = `${second.target.issuer}/oauth/authorize?${query}`;
    expect((await fetch(address, { redirect: "manual" })).status).toBe(302);
  }
  await second.target[Symbol.asyncDispose]();
});

test("names a truncated file and leaves it as it is", async () => {
  const file = join(folder, "cut.json");
  await writeFile(file, '{"keys":[');
  await expect(start("cut.json")).rejects.toThrow(`${file} is not JSON`);
});
