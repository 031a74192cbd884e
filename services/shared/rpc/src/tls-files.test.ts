import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLogger } from "@nutrition/core/logger";
import { testAuthority, writeTlsFiles } from "@nutrition/core/testing-certificates";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { afterEach, beforeEach, expect, it } from "vitest";

import { BatchingTransport } from "./batching-transport.ts";
import { createClient } from "./client.ts";
import { startLimits, testIdentity } from "./testing.ts";
import { TlsFiles } from "./tls-files.ts";

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

async function folder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tls-"));
  stack.defer(() => rm(folder, { recursive: true }));
  return folder;
}

const identity = await testIdentity();

async function serve(tls: TlsFiles | undefined, hold?: Promise<void>) {
  const count = async ({ requestId }: { requestId: string }) => {
    if (requestId === "hold") await hold;
    return {};
  };
  return stack.use(await startLimits(identity, { count }, { tls })).address;
}

function callerOf(address: string, tls: TlsFiles | undefined) {
  const transport = new BatchingTransport({ address, tls, issuer: identity.issuer("gateway") });
  stack.defer(() => transport.close());
  const limits = createClient(LimitsService, transport);
  return (requestId = "") => limits.count({ requestId }, { timeoutMs: 5_000 });
}

const open = (paths: ConstructorParameters<typeof TlsFiles>[0]) =>
  stack.use(new TlsFiles(paths, silentLogger));
const unavailable = { kind: "unavailable" };

it.each(["127.0.0.1", "localhost"])(
  "calls to %s are encrypted and authenticated both ways",
  async (host) => {
    const authority = testAuthority("ours");
    const server = open(await writeTlsFiles(await folder(), authority));
    const client = open(await writeTlsFiles(await folder(), authority));
    const address = (await serve(server)).replace("127.0.0.1", host);
    await expect(callerOf(address, client)()).resolves.toBeDefined();
  },
);

it("refuses a missing certificate, or one from another authority, on either side", async () => {
  const [ours, other] = [testAuthority("ours"), testAuthority("other")];
  const server = open(await writeTlsFiles(await folder(), ours));
  const address = await serve(server);
  const stranger = open(await writeTlsFiles(await folder(), other, [ours]));
  await expect(callerOf(address, stranger)()).rejects.toMatchObject(unavailable);
  const suspicious = open(await writeTlsFiles(await folder(), ours, [other]));
  await expect(callerOf(address, suspicious)()).rejects.toMatchObject(unavailable);
  await expect(callerOf(address, undefined)()).rejects.toMatchObject(unavailable);
});

it("changed files are used for new connections, and calls in flight are answered", async () => {
  const [old, next] = [testAuthority("old"), testAuthority("next")];
  const folders = { server: await folder(), client: await folder() };
  const server = open(await writeTlsFiles(folders.server, old));
  const client = open(await writeTlsFiles(folders.client, old));
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const address = await serve(server, held);
  const before = callerOf(address, client);
  const inFlight = before("hold");
  await before();
  await writeTlsFiles(folders.server, next);
  await writeTlsFiles(folders.client, next);
  const leftBehind = open(await writeTlsFiles(await folder(), old));
  server.reload();
  client.reload();
  await expect(callerOf(address, client)()).resolves.toBeDefined();
  await expect(callerOf(address, leftBehind)()).rejects.toMatchObject(unavailable);
  letGo();
  await expect(inFlight).resolves.toBeDefined();
});

it("ignores changed files until key and certificate match", async () => {
  const authority = testAuthority("ours");
  const where = await folder();
  const paths = await writeTlsFiles(where, authority);
  const server = open(paths);
  const client = open(await writeTlsFiles(await folder(), authority));
  const address = await serve(server);
  const { cert, key } = authority.issue();
  await writeFile(paths.certFile, cert);
  server.reload();
  await expect(callerOf(address, client)()).resolves.toBeDefined();
  expect(server.material.cert.toString()).not.toBe(cert);
  await writeFile(paths.keyFile, key);
  server.reload();
  expect(server.material.cert.toString()).toBe(cert);
  await expect(callerOf(address, client)()).resolves.toBeDefined();
});

it("a start with missing or mismatched files fails", async () => {
  const where = await folder();
  const paths = await writeTlsFiles(where, testAuthority("ours"));
  expect(() => open({ ...paths, caFile: join(where, "missing.crt") })).toThrow("missing.crt");
  await writeFile(paths.keyFile, testAuthority("other").issue().key);
  expect(() => open(paths)).toThrow();
});
