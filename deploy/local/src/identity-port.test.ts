import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { readConfig } from "./config.ts";
import { type DataFolder, openDataFolder } from "./data-folder.ts";
import { chooseIdentityPort, findKeptPort, issuerAt } from "./identity-port.ts";
import { findFreePorts } from "./ports.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "identity-port-"));
});
afterAll(() => rm(root, { recursive: true }));

const config = readConfig({});

async function choose(folder: DataFolder, gateway: number) {
  const said: string[] = [];
  const kept = await findKeptPort(folder);
  const say = (line: string) => void said.push(line);
  const port = await chooseIdentityPort({ config, folder, say, kept, gateway });
  return { port, said };
}

test("the port of the first start is kept, wherever the gateway is", async () => {
  const folder = await openDataFolder(join(root, "kept"));
  const [gateway = 0, other = 0] = await findFreePorts(2);
  const first = await choose(folder, gateway);
  expect(first.port).toBeGreaterThan(gateway);
  expect(await choose(folder, other)).toEqual({ port: first.port, said: [] });
});

test("a kept port that another program has gives way, and the person is told", async () => {
  const folder = await openDataFolder(join(root, "taken"));
  const [gateway = 0] = await findFreePorts(1);
  const { port } = await choose(folder, gateway);
  const server = createServer().listen(port, config.host);
  await once(server, "listening");
  const next = await choose(folder, gateway);
  server.close();
  expect(next.port).toBeGreaterThan(port);
  expect(next.said.join()).toContain(`Port ${port}`);
  expect(await findKeptPort(folder)).toBe(next.port);
});

test("the issuer is on the host that the pages are on", () => {
  expect(issuerAt("http://127.0.0.1:3000", 3001)).toBe("http://127.0.0.1:3001/auth/v1");
  expect(issuerAt("http://[::1]:3000", 3001)).toBe("http://[::1]:3001/auth/v1");
});
