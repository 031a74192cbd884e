import { setTimeout as sleep } from "node:timers/promises";

import type { KubeClient, KubeObject } from "../kube/client.ts";
import type { Release } from "../kube/helm.ts";
import type { Account } from "../load/load.ts";

const NAME = "cluster-test-accounts";
const DONE_MS = 90_000;
const PAUSE_MS = 500;

/** Creates accounts with one key each, with the operator's command line in a pod of the cluster. */
export async function makeAccounts(
  client: KubeClient,
  release: Release,
  count: number,
): Promise<Account[]> {
  const pods = `/api/v1/namespaces/${release.namespace}/pods`;
  const hooks = await release.objects("get hooks");
  const test = hooks.find(({ kind }) => kind === "Pod");
  if (!test) throw new Error("The chart has no test pod.");
  await client.create(pods, podLike(test, count));
  await untilDone(client, `${pods}/${NAME}`);
  const text = await client.logs(release.namespace, NAME);
  await client.delete(`${pods}/${NAME}`);
  const line = text.trim().split("\n").at(-1) ?? "";
  try {
    return JSON.parse(line) as Account[];
  } catch {
    throw new Error(`The accounts could not be created:\n${text}`);
  }
}

/** The pod of `helm test`, which has everything the command line needs, with a different script. */
function podLike({ spec, metadata }: KubeObject, count: number): object {
  const { containers, volumes, ...rest } = spec as unknown as PodSpec;
  const [container] = containers;
  const isScript = ({ name }: { name: string }) => name === "script";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: NAME, labels: metadata.labels },
    spec: {
      ...rest,
      volumes: volumes.filter((volume) => !isScript(volume)),
      containers: [
        {
          ...container,
          command: ["node", "--input-type=module", "-e", script(count)],
          volumeMounts: container?.volumeMounts.filter((mount) => !isScript(mount)),
        },
      ],
    },
  };
}

function script(count: number): string {
  return `
import { spawnSync } from "node:child_process";
const admin = (...args) => {
  const { status, stdout, stderr } = spawnSync("node", ["/app/main.ts", ...args, "--json"], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};
const accounts = [];
for (let number = 1; number <= ${count}; number += 1) {
  const id = "load-" + number + "@example.invalid";
  admin("accounts", "create", "--email", id, "--premium");
  const { key } = admin("keys", "create", "--account", id, "--scopes", "service.read,nutrition.write");
  accounts.push({ id, key });
}
console.log(JSON.stringify(accounts));
`;
}

async function untilDone(client: KubeClient, path: string): Promise<void> {
  const deadline = performance.now() + DONE_MS;
  for (;;) {
    const { status } = await client.get(path);
    if (["Succeeded", "Failed"].includes(String(status?.["phase"]))) return;
    if (performance.now() > deadline) throw new Error(`${path} does not exit.`);
    await sleep(PAUSE_MS);
  }
}

interface PodSpec {
  readonly containers: readonly { readonly volumeMounts: readonly { readonly name: string }[] }[];
  readonly volumes: readonly { readonly name: string }[];
}
