import { setTimeout as sleep } from "node:timers/promises";

import { hasCondition, Refusal, TOO_MANY_REQUESTS } from "../kube/client.ts";
import type { KubeClient, KubeObject } from "../kube/client.ts";
import type { Release } from "../kube/helm.ts";

/** Services that may run in any number of instances. */
export const STATELESS = ["gateway", "web", "auth", "journal", "limits", "analysis"] as const;
const COMPONENT = "app.kubernetes.io/component";
const READY_MS = 240_000;
const PAUSE_MS = 500;
const NOT_FOUND = 404;

/** The pods of a release, and operations on them. */
export class Pods {
  readonly #client: KubeClient;
  readonly #release: Release;

  constructor(client: KubeClient, release: Release) {
    this.#client = client;
    this.#release = release;
  }

  get #pods(): string {
    return `/api/v1/namespaces/${this.#release.namespace}/pods`;
  }

  get #deployments(): string {
    return `/apis/apps/v1/namespaces/${this.#release.namespace}/deployments`;
  }

  async scale(service: string, replicas: number): Promise<void> {
    await this.#client.patch(`${this.#deployments}/${this.#nameOf(service)}`, {
      spec: { replicas },
    });
    await this.#untilRolledOut(service);
  }

  /** Replaces every pod of a service, as `kubectl rollout restart` does. */
  async replace(service: string): Promise<void> {
    const annotations = { "kubectl.kubernetes.io/restartedAt": new Date().toISOString() };
    const template = { metadata: { annotations } };
    await this.#client.patch(`${this.#deployments}/${this.#nameOf(service)}`, {
      spec: { template },
    });
    await this.#untilRolledOut(service);
  }

  /** Deletes one pod of a service and waits until another has replaced it. */
  async deleteOne(service: string): Promise<void> {
    const before = await this.#staying(service);
    const [pod] = before;
    if (!pod) throw new Error(`There is no pod of ${service}.`);
    await this.#client.delete(`${this.#pods}/${pod.metadata.name}`);
    await until(`${service} has a replacement pod`, async () => {
      const now = await this.#staying(service);
      return now.length === before.length && now.every((one) => hasCondition(one, "Ready"));
    });
  }

  /** Waits until every terminating pod is gone. */
  async untilSettled(): Promise<void> {
    await until("no pod is terminating", async () => {
      return !(await this.#client.list(this.#pods)).some(isEnding);
    });
  }

  /** Waits until all requested pods are running and ready. */
  async #untilRolledOut(service: string): Promise<void> {
    const path = `${this.#deployments}/${this.#nameOf(service)}`;
    await until(`${service} is rolled out`, async () => {
      const { spec, status, metadata } = (await this.#client.get(path)) as Deployment;
      const { replicas } = spec;
      const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
      return (
        status.observedGeneration >= metadata.generation &&
        counts.every((count) => count === replicas)
      );
    });
  }

  /** Evicts every pod from a node, as `kubectl drain` does; budgets decide the order. */
  async drain(node: string): Promise<number> {
    await this.#client.patch(`/api/v1/nodes/${node}`, { spec: { unschedulable: true } });
    const pods = (await this.#client.list(this.#pods)).filter(
      ({ spec, status }) => spec?.["nodeName"] === node && isAtWork(status),
    );
    await Promise.all(
      pods.map(async (pod) => {
        await this.#evict(pod);
        await this.#untilGone(pod);
      }),
    );
    return pods.length;
  }

  uncordon(node: string): Promise<void> {
    return this.#client.patch(`/api/v1/nodes/${node}`, { spec: { unschedulable: false } });
  }

  /** Pods of a service that are not terminating. */
  async #staying(service: string): Promise<KubeObject[]> {
    const pods = await this.#client.list(this.#pods, `${COMPONENT}=${service}`);
    return pods.filter((pod) => !isEnding(pod));
  }

  async #evict({ metadata: { name } }: KubeObject): Promise<void> {
    const { namespace } = this.#release;
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } };
    await until(`${name} may be evicted`, async () => {
      try {
        await this.#client.create(`${this.#pods}/${name}/eviction`, eviction);
        return true;
      } catch (error) {
        if (error instanceof Refusal && error.status === TOO_MANY_REQUESTS) return false;
        throw error;
      }
    });
  }

  async #untilGone({ metadata: { name } }: KubeObject): Promise<void> {
    await until(`${name} is gone`, async () => {
      try {
        await this.#client.get(`${this.#pods}/${name}`);
        return false;
      } catch (error) {
        if (error instanceof Refusal && error.status === NOT_FOUND) return true;
        throw error;
      }
    });
  }

  #nameOf(service: string): string {
    return `${this.#release.name}-${service}`;
  }
}

interface Deployment extends KubeObject {
  readonly metadata: KubeObject["metadata"] & { readonly generation: number };
  readonly spec: { readonly replicas: number };
  readonly status: {
    readonly observedGeneration: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

function isEnding({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isAtWork(status: KubeObject["status"]): boolean {
  return ["Pending", "Running"].includes(String(status?.["phase"]));
}

export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting until ${what}.`);
    await sleep(PAUSE_MS);
  }
}
