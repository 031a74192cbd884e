import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Agent, request } from "undici";

import { programPath } from "../programs.ts";
import type { Program } from "../programs.ts";
import { Daemon } from "./daemon.ts";
import { CONTROL_PLANE, SERVICE_NETWORK } from "./network.ts";
import type { NodeAddress } from "./network.ts";

const ETCD = "http://127.0.0.1:2379";
const START_MS = 60_000;

export interface ControlPlane {
  readonly server: string;
  /** Token of an administrator. */
  readonly token: string;
  /** PEM file with the authority of the API server's certificate. */
  readonly caFile: string;
  /** Kubeconfig of the administrator. */
  readonly kubeconfig: string;
  /** Kubeconfigs of the kubelets, by node. */
  readonly kubeconfigs: Readonly<Record<string, string>>;
}

/** Starts etcd, API server, controllers, scheduler and DNS. */
export async function startControlPlane(
  folder: string,
  nodes: readonly NodeAddress[],
): Promise<ControlPlane> {
  await mkdir(folder, { recursive: true });
  const start = (name: Program, args: readonly string[]) =>
    new Daemon({ name, program: programPath(name), args, folder });
  const peers = "http://127.0.0.1:2380";
  start("etcd", [
    ...[`--data-dir=${join(folder, "etcd")}`, "--unsafe-no-fsync", `--listen-peer-urls=${peers}`],
    ...[`--listen-client-urls=${ETCD}`, `--advertise-client-urls=${ETCD}`],
  ]);
  const access = await writeAccess(folder, nodes);
  const server = start("kube-apiserver", apiServerArgs(folder));
  await server.untilReady(() => answers(`${access.server}/readyz`, access.token), START_MS);
  const { kubeconfig } = access;
  const controllers = start("kube-controller-manager", [
    ...[`--kubeconfig=${kubeconfig}`, "--leader-elect=false", `--root-ca-file=${access.caFile}`],
    `--service-account-private-key-file=${join(folder, "service-account.key")}`,
    ...delegation(kubeconfig),
  ]);
  const scheduler = start("kube-scheduler", [
    ...[`--kubeconfig=${kubeconfig}`, "--leader-elect=false"],
    ...delegation(kubeconfig),
  ]);
  await controllers.untilReady(() => answers("https://127.0.0.1:10257/healthz"), START_MS);
  await scheduler.untilReady(() => answers("https://127.0.0.1:10259/healthz"), START_MS);
  await writeFile(join(folder, "Corefile"), corefile(access));
  const dns = start("coredns", ["-conf", join(folder, "Corefile")]);
  await dns.untilReady(() => answers(`http://${CONTROL_PLANE}:8181/ready`), START_MS);
  return access;
}

function apiServerArgs(folder: string): string[] {
  const key = join(folder, "service-account.key");
  return [
    ...[`--etcd-servers=${ETCD}`, `--cert-dir=${join(folder, "certificates")}`],
    ...[`--bind-address=${CONTROL_PLANE}`, `--advertise-address=${CONTROL_PLANE}`],
    ...[`--service-cluster-ip-range=${SERVICE_NETWORK}`, "--secure-port=6443"],
    ...[`--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`],
    ...[
      "--service-account-issuer=https://kubernetes.default.svc",
      "--authorization-mode=Node,RBAC",
    ],
    ...[`--token-auth-file=${join(folder, "tokens.csv")}`, "--anonymous-auth=false"],
    "--kubelet-preferred-address-types=InternalIP",
  ];
}

/** Authentication settings of controllers and scheduler. */
function delegation(kubeconfig: string): string[] {
  return [`--authentication-kubeconfig=${kubeconfig}`, `--authorization-kubeconfig=${kubeconfig}`];
}

/** Writes tokens and keys, and a kubeconfig for the administrator and each node. */
async function writeAccess(folder: string, nodes: readonly NodeAddress[]): Promise<ControlPlane> {
  const server = `https://${CONTROL_PLANE}:6443`;
  const caFile = join(folder, "certificates/apiserver.crt");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  await writeFile(join(folder, "service-account.key"), pem, { mode: 0o600 });
  const users = [{ name: "admin", group: "system:masters" }].concat(
    nodes.map(({ name }) => ({ name: `system:node:${name}`, group: "system:nodes" })),
  );
  const withTokens = users.map((user) => ({ ...user, token: randomBytes(24).toString("hex") }));
  const lines = withTokens.map(({ token, name, group }) => `${token},${name},${name},"${group}"`);
  await writeFile(join(folder, "tokens.csv"), lines.join("\n"), { mode: 0o600 });
  const kubeconfigs: Record<string, string> = {};
  for (const { name, token } of withTokens) {
    const file = join(folder, `${name.replaceAll(":", "-")}.kubeconfig`);
    await writeFile(file, JSON.stringify(kubeconfigOf({ server, caFile, token })), { mode: 0o600 });
    kubeconfigs[name.replace("system:node:", "")] = file;
  }
  const { admin: kubeconfig = "" } = kubeconfigs;
  return { server, token: withTokens[0]?.token ?? "", caFile, kubeconfig, kubeconfigs };
}

function kubeconfigOf({ server, caFile, token }: Record<"server" | "caFile" | "token", string>) {
  const name = "cluster-test";
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority": caFile } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  };
}

/**
 * As kubeadm configured it for years: answers are cached for 30 s. External names do not resolve.
 */
function corefile({ kubeconfig }: ControlPlane): string {
  return `.:53 {
  bind ${CONTROL_PLANE}
  errors
  ready ${CONTROL_PLANE}:8181
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    kubeconfig ${kubeconfig}
    pods insecure
    fallthrough in-addr.arpa ip6.arpa
    ttl 30
  }
  cache 30
}
`;
}

const agent = new Agent({ connect: { rejectUnauthorized: false } });

async function answers(url: string, token?: string): Promise<boolean> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { statusCode, body } = await request(url, { dispatcher: agent, headers });
  await body.dump();
  return statusCode === 200;
}
