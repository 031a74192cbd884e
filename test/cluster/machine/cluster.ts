import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { hasCondition, KubeClient } from "../kube/client.ts";
import { startControlPlane } from "./control-plane.ts";
import { linkNodes, nodeAddress } from "./network.ts";
import { startNode } from "./node.ts";

const READY_MS = 120_000;
const PAUSE_MS = 250;
/** Two nodes, so that one can be drained. */
const NODES = [1, 2];

export interface Cluster {
  readonly client: KubeClient;
  readonly kubeconfig: string;
  readonly nodes: readonly string[];
}

export interface ClusterOptions {
  /** Folder for this run only. */
  readonly folder: string;
  /** Archive with the images that pods run. */
  readonly images: string;
}

/** Starts a cluster in the namespaces of this process, and waits until pods can run. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder } = options;
  const addresses = NODES.map(nodeAddress);
  await linkNodes(addresses);
  const controlPlane = await startControlPlane(join(folder, "control-plane"), addresses);
  await Promise.all(
    addresses.map((address) =>
      startNode({ ...options, ...address, folder: join(folder, address.name), controlPlane }),
    ),
  );
  const client = new KubeClient(controlPlane);
  await untilNodesAreReady(client);
  const nodes = addresses.map(({ name }) => name);
  return { client, kubeconfig: controlPlane.kubeconfig, nodes };
}

async function untilNodesAreReady(client: KubeClient): Promise<void> {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const nodes = await client.list("/api/v1/nodes");
    const ready = nodes.filter((node) => hasCondition(node, "Ready"));
    if (ready.length === NODES.length) return;
    if (performance.now() > deadline) {
      throw new Error(
        `The nodes are not ready: ${JSON.stringify(nodes.map(({ status }) => status))}`,
      );
    }
    await sleep(PAUSE_MS);
  }
}
