import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { testAuthority } from "@nutrition/core/testing-certificates";

import type { ClusterAccess } from "../src/secrets/kubernetes-secrets.ts";
import { readClusterAccess } from "../src/secrets/kubernetes-secrets.ts";

const TOKEN = "token-of-the-pod";
const NAMESPACE = "journal";
const COLLECTION = `/api/v1/namespaces/${NAMESPACE}/secrets`;

interface SecretObject {
  metadata: { name: string; resourceVersion: string };
  data: Record<string, string>;
}

/** A server that implements the Kubernetes API for Secrets. */
export interface ApiServer extends AsyncDisposable {
  access: ClusterAccess;
  /** Stored Secrets by name, decoded. */
  entriesOf(name: string): Record<string, string> | undefined;
  put(name: string, entries: Record<string, string>): void;
  /** Overrides for the next requests: status codes, or work to do before the response. */
  readonly interruptions: (number | (() => void))[];
  /** Requested methods and paths, in order. */
  readonly requests: string[];
}

export async function startApiServer(): Promise<ApiServer> {
  const folder = await mkdtemp(join(tmpdir(), "service-account-"));
  const authority = testAuthority("cluster");
  const stored = new Map<string, SecretObject>();
  const interruptions: ApiServer["interruptions"] = [];
  const requests: string[] = [];
  let version = 0;

  const store = (name: string, data: Record<string, string>) => {
    version += 1;
    const secret = { metadata: { name, resourceVersion: String(version) }, data };
    stored.set(name, secret);
    return secret;
  };
  const answer = async (request: IncomingMessage): Promise<[status: number, body: object]> => {
    const { method = "", url = "", headers } = request;
    requests.push(`${method} ${url}`);
    const body = JSON.parse((await textOf(request)) || "{}") as Partial<SecretObject>;
    const interruption = interruptions.shift();
    if (typeof interruption === "number") return refuse(interruption);
    interruption?.();
    if (headers.authorization !== `Bearer ${TOKEN}`) return refuse(401);
    if (method === "POST" && url === COLLECTION) {
      const name = body.metadata?.name ?? "";
      return stored.has(name) ? refuse(409) : [201, store(name, body.data ?? {})];
    }
    const existing = stored.get(url.slice(COLLECTION.length + 1));
    if (!url.startsWith(`${COLLECTION}/`) || !existing) return refuse(404);
    if (method === "GET") return [200, existing];
    if (headers["content-type"] !== "application/merge-patch+json") return refuse(415);
    if (body.metadata?.resourceVersion !== existing.metadata.resourceVersion) return refuse(409);
    return [200, store(existing.metadata.name, { ...existing.data, ...body.data })];
  };
  const listener: RequestListener = (request, response) => {
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify(body));
    });
  };
  const server = createServer(authority.issue(), listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // As the kubelet writes them.
  await writeFile(join(folder, "token"), TOKEN);
  await writeFile(join(folder, "namespace"), NAMESPACE);
  await writeFile(join(folder, "ca.crt"), authority.certificate);
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    access: await readClusterAccess(address, folder),
    entriesOf: (name) => mapValues(stored.get(name)?.data, fromBase64),
    put: (name, entries) => void store(name, mapValues(entries, toBase64) ?? {}),
    interruptions,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

function refuse(status: number): [status: number, body: object] {
  const message = `refused with ${status}`;
  return [status, { kind: "Status", apiVersion: "v1", status: "Failure", message, code: status }];
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
  return Buffer.concat(chunks).toString();
}

const toBase64 = (text: string) => Buffer.from(text).toString("base64");
const fromBase64 = (text: string) => Buffer.from(text, "base64").toString();

function mapValues(
  record: Record<string, string> | undefined,
  change: (value: string) => string,
): Record<string, string> | undefined {
  if (!record) return undefined;
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
