import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { programPath } from "../programs.ts";
import { attempt, run } from "../command.ts";
import type { ControlPlane } from "./control-plane.ts";
import { Daemon } from "./daemon.ts";
import { CONTROL_PLANE, POD_NETWORK } from "./network.ts";
import type { NodeAddress } from "./network.ts";

/** Pause image, which holds a pod's network namespace; loaded like the images under test. */
export const PAUSE_IMAGE = "registry.test/pause:latest";
const START_MS = 60_000;

export interface NodeOptions extends NodeAddress {
  /** Folder with all data of the node, on a disk. */
  readonly folder: string;
  /** Archive with the images that pods run. */
  readonly images: string;
  readonly controlPlane: ControlPlane;
}

/** Starts containerd, kubelet and kube-proxy of one node. */
export async function startNode(options: NodeOptions): Promise<void> {
  const { name, folder, images, controlPlane } = options;
  const start = (program: string, args: readonly string[]) =>
    new Daemon({
      name: program.replace(/.*\/|-[0-9a-f]+$/g, ""),
      program,
      args,
      folder,
      network: name,
    });
  const sockets = `/run/${name}`;
  for (const place of [join(folder, "cni"), sockets]) await mkdir(place, { recursive: true });
  const socket = join(sockets, "containerd.sock");
  await writeFile(join(folder, "containerd.toml"), containerdConfig(folder, sockets));
  await writeFile(join(folder, "cni/pods.conflist"), JSON.stringify(podNetwork(options)));
  const containerd = start("containerd", ["--config", join(folder, "containerd.toml")]);
  const ctr = ["--address", socket, "--namespace", "k8s.io"];
  const isUp = async () => (await attempt("ctr", [...ctr, "version"])).code === 0;
  await containerd.untilReady(isUp, START_MS);
  await run("ctr", [...ctr, "images", "import", "--snapshotter", "overlayfs", images]);
  const config = JSON.stringify(kubeletConfig(options, socket));
  await writeFile(join(folder, "kubelet.json"), config);
  const kubeconfig = controlPlane.kubeconfigs[name] ?? "";
  start(programPath("kubelet"), [
    ...[`--config=${join(folder, "kubelet.json")}`, `--kubeconfig=${kubeconfig}`],
    ...[`--root-dir=${join(folder, "kubelet")}`, `--hostname-override=${name}`],
    ...[`--cert-dir=${join(folder, "kubelet-certificates")}`, `--node-ip=${options.address}`],
  ]);
  start(programPath("kube-proxy"), [
    ...[`--kubeconfig=${controlPlane.kubeconfig}`, `--hostname-override=${name}`],
    ...["--proxy-mode=iptables", `--cluster-cidr=${POD_NETWORK}`, "--conntrack-max-per-core=0"],
  ]);
}

/** A folder on a node for a volume, writable by any user. */
export async function makeVolumeFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o777);
  return folder;
}

function containerdConfig(folder: string, sockets: string): string {
  const cri = `plugins."io.containerd.grpc.v1.cri"`;
  return `version = 2
root = "${join(folder, "containerd")}"
state = "${join(sockets, "containerd")}"
[grpc]
  address = "${join(sockets, "containerd.sock")}"
[plugins."io.containerd.internal.v1.opt"]
  path = "${join(folder, "opt")}"
[${cri}]
  sandbox_image = "${PAUSE_IMAGE}"
  disable_apparmor = true
  restrict_oom_score_adj = true
  [${cri}.containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
  [${cri}.containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [${cri}.containerd.runtimes.runc.options]
      SystemdCgroup = false
  [${cri}.cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${join(folder, "cni")}"
`;
}

function podNetwork({ podSubnet, folder }: NodeOptions): object {
  const ipam = {
    type: "host-local",
    ranges: [[{ subnet: podSubnet }]],
    routes: [{ dst: "0.0.0.0/0" }],
    dataDir: join(folder, "addresses"),
  };
  const bridge = { type: "bridge", bridge: "pods0", isGateway: true, hairpinMode: true, ipam };
  return { cniVersion: "0.4.0", name: "pods", plugins: [bridge] };
}

function kubeletConfig({ folder }: NodeOptions, socket: string): object {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    containerRuntimeEndpoint: `unix://${socket}`,
    clusterDNS: [CONTROL_PLANE],
    clusterDomain: "cluster.local",
    // The enclosure already has its own network.
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: "AlwaysAllow" },
    // Control groups belong to the machine; each container gets its own limits.
    cgroupDriver: "cgroupfs",
    cgroupsPerQOS: false,
    enforceNodeAllocatable: [],
    failCgroupV1: false,
    failSwapOn: false,
    makeIPTablesUtilChains: false,
    evictionHard: {
      "memory.available": "0%",
      "nodefs.available": "0%",
      "nodefs.inodesFree": "0%",
      "imagefs.available": "0%",
    },
    imageGCHighThresholdPercent: 100,
    podLogsDir: join(folder, "pod-logs"),
    volumePluginDir: join(folder, "volume-plugins"),
  };
}
