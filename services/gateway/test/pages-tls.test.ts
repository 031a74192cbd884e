import { createServer } from "node:http";
import type { Server } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silentLogger } from "@nutrition/core/logger";
import type { TestAuthority } from "@nutrition/core/testing-certificates";
import { testAuthority, writeTlsFiles } from "@nutrition/core/testing-certificates";
import { TlsFiles } from "@nutrition/rpc/tls-files";
import { afterEach, beforeEach, expect, it } from "vitest";

import { pageRoutes } from "../src/routes/page-routes.ts";
import { PAGE_TURNS, PageTurns } from "../src/routes/page-turns.ts";
import { bareApp } from "./bare-app.ts";

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "pages-tls-"));
  stack.defer(() => rm(made, { recursive: true }));
  return made;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stack.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

async function open(...[authority, trusted]: [TestAuthority, TestAuthority[]?]): Promise<TlsFiles> {
  return reopen(await folder(), authority, trusted);
}

async function reopen(where: string, authority: TestAuthority, trusted?: TestAuthority[]) {
  return stack.use(new TlsFiles(await writeTlsFiles(where, authority, trusted), silentLogger));
}

async function startWeb(tls: TlsFiles): Promise<{ server: Server; port: number }> {
  const server = tls.httpsServer({}, (_request, response) => response.end("page"));
  return { server, port: await listen(server) };
}

/** Fetches a page through a gateway, and returns the status. */
async function startGateway(webPort: number, tls: TlsFiles | undefined) {
  const routes = [
    pageRoutes(`https://127.0.0.1:${webPort}`, { turns: new PageTurns(PAGE_TURNS), tls }),
  ];
  const port = await listen(createServer(bareApp(routes)));
  return async () => {
    const response = await fetch(`http://127.0.0.1:${port}/journal`);
    await response.text();
    return response.status;
  };
}

it("pages come over mutual TLS, and never from or to a foreign certificate", async () => {
  const [ours, other] = [testAuthority("ours"), testAuthority("other")];
  const { port } = await startWeb(await open(ours));
  const statusWith = async (tls?: TlsFiles) => (await startGateway(port, tls))();
  expect(await statusWith(await open(ours))).toBe(200);
  expect(await statusWith(await open(other, [ours]))).toBe(503);
  expect(await statusWith(await open(ours, [other]))).toBe(503);
  expect(await statusWith()).toBe(503);
});

it("pages keep working when both sides get certificates of a new authority", async () => {
  const [old, next] = [testAuthority("old"), testAuthority("next")];
  const folders = [await folder(), await folder()] as const;
  const web = await reopen(folders[0], old);
  const gateway = await reopen(folders[1], old);
  const { server, port } = await startWeb(web);
  const fetchPage = await startGateway(port, gateway);
  expect(await fetchPage()).toBe(200);
  for (const where of folders) await writeTlsFiles(where, next);
  web.reload();
  server.closeAllConnections();
  expect(await fetchPage()).toBe(503);
  gateway.reload();
  expect(await fetchPage()).toBe(200);
});
