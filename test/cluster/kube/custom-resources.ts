import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { parse } from "yaml";

import { run } from "../command.ts";
import { hasCondition } from "./client.ts";
import type { KubeClient, KubeObject } from "./client.ts";

/** Go modules with the definitions of the third-party objects that the chart can create. */
const MODULES: readonly { readonly module: string; readonly files: readonly string[] }[] = [
  {
    module: "sigs.k8s.io/gateway-api@v1.4.0",
    files: ["config/crd/standard/gateway.networking.k8s.io_httproutes.yaml"],
  },
  {
    module: "github.com/cert-manager/cert-manager@v1.19.1",
    files: ["deploy/crds/cert-manager.io_certificates.yaml"],
  },
  {
    module: "github.com/cloudnative-pg/cloudnative-pg@v1.27.1",
    files: ["config/crd/bases/postgresql.cnpg.io_clusters.yaml"],
  },
  {
    module: "github.com/external-secrets/external-secrets@v1.3.2",
    files: ["config/crds/bases/external-secrets.io_externalsecrets.yaml"],
  },
  {
    module: "github.com/prometheus-operator/prometheus-operator@v0.85.0",
    files: ["prometheusrules", "servicemonitors"].map(
      (name) => `example/prometheus-operator-crd/monitoring.coreos.com_${name}.yaml`,
    ),
  },
];
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const PAUSE_MS = 200;
const TRIES = 100;

/** Fetches the definitions, and returns their files. */
export async function fetchDefinitions(): Promise<string[]> {
  const found: string[] = [];
  for (const { module, files } of MODULES) {
    const answer = await run("go", ["mod", "download", "-json", module]);
    const { Dir: folder } = JSON.parse(answer) as { Dir: string };
    found.push(...files.map((file) => join(folder, file)));
  }
  return found;
}

/** Registers them at the API server. */
export async function define(client: KubeClient, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const definition = parse(await readFile(file, "utf8")) as KubeObject;
    await client.create(DEFINITIONS, definition);
    await untilServed(client, definition.metadata.name);
  }
}

async function untilServed(client: KubeClient, name: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (hasCondition(await client.get(`${DEFINITIONS}/${name}`), "Established")) return;
    await sleep(PAUSE_MS);
  }
  throw new Error(`${name} is not served.`);
}
