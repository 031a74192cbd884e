import { join } from "node:path";

import { makeAccounts } from "./checks/accounts.ts";
import { makeNamespace, offerVolume } from "./checks/namespace.ts";
import { Pods, STATELESS } from "./checks/pods.ts";
import { Ledger, step } from "./checks/steps.ts";
import { uninstall } from "./checks/uninstall.ts";
import { validate } from "./checks/validate.ts";
import { VERSIONS } from "./images/images.ts";
import type { KubeClient } from "./kube/client.ts";
import { define } from "./kube/custom-resources.ts";
import { CHART, Release } from "./kube/helm.ts";
import { Resources } from "./kube/resources.ts";
import { Load } from "./load/load.ts";
import type { Target } from "./load/load.ts";
import type { Cluster } from "./machine/cluster.ts";
import { startCluster } from "./machine/cluster.ts";

// The script inside the enclosure; see main.ts.

const NAMESPACE = "journal";
const RELEASE = "nutrition-journal";
const HOST = "journal.test";
const ACCOUNTS = 3;
const VALUES = [join(CHART, "ci/trial.yaml"), join(import.meta.dirname, "values.yaml")];
const WITH_VALUES = [...VALUES.flatMap((file) => ["-f", file]), "--wait", "--timeout=5m"];

const [folder = "", images = "", definitions = ""] = process.argv.slice(2);

async function main(cluster: Cluster): Promise<void> {
  const { client, kubeconfig } = cluster;
  const release = new Release(RELEASE, { namespace: NAMESPACE, kubeconfig });
  await define(client, definitions.split(","));
  await makeNamespace(client, NAMESPACE);
  await offerVolume(cluster, folder);
  const before = await new Resources(client).everythingIn(NAMESPACE);
  await step("every object passes strict validation", () => validate(client, release));
  await step("an invalid value is refused by name", () => refuseWrongValue(release));
  await step("helm install --wait", async () => {
    await release.helm("install", CHART, ...WITH_VALUES);
  });
  await step("helm test", async () =>
    (await release.helm("test", "--logs")).trim().split("\n").at(-1),
  );
  const accounts = await makeAccounts(client, release, ACCOUNTS);
  const load = new Load(await targetOf(client), accounts);
  const ledger = new Ledger(load);
  const pods = new Pods(client, release);
  const underLoad = (name: string, work: () => Promise<unknown>) =>
    ledger.step(name, async () => {
      await work();
      await pods.untilSettled();
    });
  await underLoad("helm upgrade, with a migration", () =>
    release.helm("upgrade", CHART, ...WITH_VALUES, `--set=image.tag=${VERSIONS.after}`),
  );
  await underLoad("helm rollback", () => release.helm("rollback", "--wait", "--timeout=5m"));
  await underLoad("each service scales to three", () =>
    inTurn((service) => pods.scale(service, 3)),
  );
  await underLoad("a pod of each service is deleted", () =>
    inTurn((service) => pods.deleteOne(service)),
  );
  await underLoad("every pod of each service is replaced", () =>
    inTurn((service) => pods.replace(service)),
  );
  const [, node = ""] = cluster.nodes;
  await underLoad("a node is drained", () => pods.drain(node));
  await pods.uncordon(node);
  await load.close();
  await step("helm uninstall", () => uninstall(client, release, before));
  ledger.close();
}

async function inTurn(work: (service: string) => Promise<void>): Promise<void> {
  for (const service of STATELESS) await work(service);
}

async function refuseWrongValue(release: Release): Promise<string> {
  const wrong = "--set=workloads.gatway.replicas=3";
  const { code, complaint } = await release.attempt("install", CHART, ...WITH_VALUES, wrong);
  const sentence = complaint.split("\n").find((line) => line.includes("gatway"));
  if (code === 0 || !sentence) throw new Error(`helm install ${wrong} says: ${complaint}`);
  return sentence.trim();
}

async function targetOf(client: KubeClient): Promise<Target> {
  const path = `/api/v1/namespaces/${NAMESPACE}/services/${RELEASE}-gateway`;
  const { spec } = await client.get(path);
  return { url: `http://${String(spec?.["clusterIP"])}`, host: HOST };
}

try {
  await main(await step("the cluster starts", () => startCluster({ folder, images })));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// Remaining processes would keep this one alive; they end with the enclosure.
process.exit();
