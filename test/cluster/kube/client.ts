import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { Agent, request } from "undici";

/** A Kubernetes object, with the fields that the checks read. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string }[];
    readonly deletionTimestamp?: string;
  };
  readonly spec?: { readonly [name: string]: unknown };
  readonly status?: { readonly [name: string]: unknown };
}

/** Whether an object has a condition with status True, such as `Ready`. */
export function hasCondition({ status }: KubeObject, type: string): boolean {
  const conditions = (status?.["conditions"] ?? []) as { type: string; status: string }[];
  return conditions.some((condition) => condition.type === type && condition.status === "True");
}

/** A refusal by the API server, with its message. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const TOO_MANY_REQUESTS = 429;
const TRIES_MAX = 20;
const PAUSE_MS = 500;
const MERGE_PATCH = "application/merge-patch+json";

/** Client of an API server. Methods throw a `Refusal`. */
export class KubeClient {
  readonly #server: string;
  readonly #token: string;
  readonly #agent: Agent;

  constructor({ server, token, caFile }: { server: string; token: string; caFile: string }) {
    this.#server = server;
    this.#token = token;
    this.#agent = new Agent({ connect: { ca: readFileSync(caFile) } });
  }

  async get(path: string): Promise<KubeObject> {
    return (await this.#read(path)) as KubeObject;
  }

  /** The objects of a collection that have the labels. */
  async list(path: string, labels = ""): Promise<readonly KubeObject[]> {
    const query = labels === "" ? "" : `?labelSelector=${encodeURIComponent(labels)}`;
    const { items } = (await this.#read(path + query)) as { items: readonly KubeObject[] };
    return items;
  }

  async create(path: string, content: object): Promise<KubeObject> {
    return (await this.#call("POST", path, content)) as KubeObject;
  }

  async patch(path: string, content: object): Promise<void> {
    await this.#call("PATCH", path, content);
  }

  async delete(path: string): Promise<void> {
    await this.#call("DELETE", path);
  }

  async logs(namespace: string, pod: string): Promise<string> {
    const text = await this.#call("GET", `/api/v1/namespaces/${namespace}/pods/${pod}/log`);
    return typeof text === "string" ? text : JSON.stringify(text);
  }

  /** Retries while the server is not ready, for example for kinds that were just registered. */
  async #read(path: string): Promise<unknown> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#call("GET", path);
      } catch (error) {
        const isBusy = error instanceof Refusal && error.status === TOO_MANY_REQUESTS;
        if (!isBusy || tries === TRIES_MAX) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  async #call(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, content?: object) {
    const { statusCode, body } = await request(new URL(path, this.#server), {
      dispatcher: this.#agent,
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        "content-type": method === "PATCH" ? MERGE_PATCH : "application/json",
      },
      body: content === undefined ? null : JSON.stringify(content),
    });
    const answer = parse(await body.text());
    if (statusCode < 300) return answer;
    const { message } = (typeof answer === "object" ? answer : {}) as { message?: string };
    throw new Refusal(statusCode, message ?? `${method} ${path} was answered with ${statusCode}`);
  }
}

/** Logs are not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
