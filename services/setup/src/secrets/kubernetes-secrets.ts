import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { Failure } from "@nutrition/core/failure";
import { Agent, request } from "undici";
import { z } from "zod";

import type { SecretEntries } from "./cluster-secret.ts";

/** A pod's connection to its cluster's API server. */
export interface ClusterAccess {
  /** Address of the API server. */
  server: string;
  namespace: string;
  token: string;
  /** CA certificate of the server, in PEM. */
  certificateAuthority: string;
}

export interface StoredSecret {
  entries: SecretEntries;
  /** Changes with every write. */
  version: string;
}

/** Folder of the files that the kubelet mounts into a pod. */
export const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

const TIMEOUT_MS = 10_000;
const MERGE_PATCH = "application/merge-patch+json";
const LABELS = { "app.kubernetes.io/part-of": "nutrition-journal" };

const secretObject = z.object({
  metadata: z.object({ resourceVersion: z.string() }),
  data: z.record(z.string(), z.base64()).default({}),
});
const statusObject = z.object({ message: z.string() });

/** Reads the connection that the kubelet provides to this pod. */
export async function readClusterAccess(server: string, folder: string): Promise<ClusterAccess> {
  const [token, certificateAuthority, namespace] = await Promise.all(
    ["token", "ca.crt", "namespace"].map((name) => readFile(join(folder, name), "utf8")),
  );
  return {
    server,
    token: token?.trim() ?? "",
    certificateAuthority: certificateAuthority ?? "",
    namespace: namespace?.trim() ?? "",
  };
}

/**
 * Client for the Secrets of one namespace. Methods throw `unavailable` when the API server is down.
 */
export class KubernetesSecrets implements AsyncDisposable {
  readonly #access: ClusterAccess;
  readonly #agent: Agent;

  constructor(access: ClusterAccess) {
    this.#access = access;
    this.#agent = new Agent({ connect: { ca: access.certificateAuthority } });
  }

  /** Returns undefined when no Secret has that name. */
  async read(name: string): Promise<StoredSecret | undefined> {
    const { status, body } = await this.#call("GET", name);
    if (status === 404) return undefined;
    const { metadata, data } = secretObject.parse(expectSuccess(status, body));
    const entries = Object.entries(data).map(([key, value]) => [
      key,
      Buffer.from(value, "base64").toString(),
    ]);
    return { entries: Object.fromEntries(entries), version: metadata.resourceVersion };
  }

  /** Returns false when another caller created it first. */
  async create(name: string, entries: SecretEntries): Promise<boolean> {
    const metadata = { name, labels: LABELS };
    const secret = { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque" };
    return this.#write("POST", "", { ...secret, data: encoded(entries) });
  }

  /** Sets entries. Returns false when the Secret is no longer at `version`. */
  async update(name: string, entries: SecretEntries, version: string): Promise<boolean> {
    const metadata = { resourceVersion: version };
    return this.#write("PATCH", name, { metadata, data: encoded(entries) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
  }

  /** Returns false on a conflict. */
  async #write(method: "POST" | "PATCH", name: string, content: object): Promise<boolean> {
    const { status, body } = await this.#call(method, name, JSON.stringify(content));
    if (status === 409) return false;
    expectSuccess(status, body);
    return true;
  }

  async #call(method: "GET" | "POST" | "PATCH", name: string, content?: string) {
    const { server, namespace, token } = this.#access;
    const path = `/api/v1/namespaces/${namespace}/secrets${name === "" ? "" : `/${name}`}`;
    const { statusCode, body } = await request(new URL(path, server), {
      dispatcher: this.#agent,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        "content-type": method === "PATCH" ? MERGE_PATCH : "application/json",
      },
      body: content ?? null,
    }).catch((cause: unknown) => {
      throw unavailable(cause);
    });
    const answer: unknown = await body.json().catch(() => undefined);
    if (statusCode === 429 || statusCode >= 500) throw unavailable(new Error(messageOf(answer)));
    return { status: statusCode, body: answer };
  }
}

function encoded(entries: SecretEntries): Record<string, string> {
  const pairs = Object.entries(entries);
  return Object.fromEntries(
    pairs.map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
  );
}

function expectSuccess(status: number, body: unknown): unknown {
  if (status >= 200 && status < 300) return body;
  throw new Error(`The API server refused with status ${status}: ${messageOf(body)}`);
}

function messageOf(body: unknown): string {
  return statusObject.safeParse(body).data?.message ?? "it gave no reason";
}

function unavailable(cause: unknown): Failure {
  const message = "The cluster's API server cannot be reached.";
  return new Failure("unavailable", "API_SERVER_UNAVAILABLE", message, { cause });
}
