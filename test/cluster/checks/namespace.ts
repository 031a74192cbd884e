import { join } from "node:path";

import type { KubeClient } from "../kube/client.ts";
import type { Cluster } from "../machine/cluster.ts";
import { makeVolumeFolder } from "../machine/node.ts";
import { until } from "./pods.ts";

/** Storage class of the volume for the bundled database. */
const STORAGE_CLASS = "cluster-test";

/** Creates a namespace that admits only restricted pods, and has a quota. */
export async function makeNamespace(client: KubeClient, name: string): Promise<void> {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await client.create("/api/v1/namespaces", { metadata: { name, labels } });
  const hard = {
    pods: "60",
    "requests.cpu": "6",
    "requests.memory": "12Gi",
    "limits.memory": "24Gi",
  };
  await client.create(`/api/v1/namespaces/${name}/resourcequotas`, {
    metadata: { name: "cluster-test" },
    spec: { hard },
  });
  // Controllers create these in every namespace.
  await until("the namespace is complete", async () => {
    const [accounts, maps] = await Promise.all(
      ["serviceaccounts", "configmaps"].map((kind) =>
        client.list(`/api/v1/namespaces/${name}/${kind}`),
      ),
    );
    return accounts?.length === 1 && maps?.length === 1;
  });
}

/** Creates a volume on the first node, where the bundled database therefore runs. */
export async function offerVolume({ client, nodes }: Cluster, folder: string): Promise<void> {
  const [node] = nodes;
  const path = await makeVolumeFolder(join(folder, "volume"));
  await client.create("/apis/storage.k8s.io/v1/storageclasses", {
    metadata: { name: STORAGE_CLASS },
    provisioner: "kubernetes.io/no-provisioner",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  const expression = { key: "kubernetes.io/hostname", operator: "In", values: [node] };
  await client.create("/api/v1/persistentvolumes", {
    metadata: { name: "cluster-test" },
    spec: {
      capacity: { storage: "10Gi" },
      accessModes: ["ReadWriteOnce"],
      storageClassName: STORAGE_CLASS,
      persistentVolumeReclaimPolicy: "Retain",
      local: { path },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } },
    },
  });
}
