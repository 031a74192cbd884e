import { writeFile } from "node:fs/promises";

import { run } from "../command.ts";

/** Address on which the control plane listens, and from which this process calls. */
export const CONTROL_PLANE = "10.99.0.1";
export const SERVICE_NETWORK = "10.96.0.0/16";
export const POD_NETWORK = "10.244.0.0/16";
const BRIDGE = "cluster0";

/** A machine of the cluster: a network namespace with a link to the control plane. */
export interface NodeAddress {
  readonly name: string;
  readonly address: string;
  /** The addresses of its pods. */
  readonly podSubnet: string;
}

export function nodeAddress(number: number): NodeAddress {
  return {
    name: `node-${number}`,
    address: `10.99.0.${10 + number}`,
    podSubnet: `10.244.${number}.0/24`,
  };
}

/**
 * Connects the nodes with a bridge and routes to each other's pods. Everything ends with the
 * enclosure.
 */
export async function linkNodes(nodes: readonly NodeAddress[]): Promise<void> {
  const [first] = nodes;
  if (!first) throw new Error("A cluster needs at least one node.");
  await ip("link set lo up");
  await ip(`link add ${BRIDGE} type bridge`);
  await ip(`address add ${CONTROL_PLANE}/24 dev ${BRIDGE}`);
  await ip(`link set ${BRIDGE} up`);
  for (const node of nodes) await linkNode(node, nodes);
  for (const { address, podSubnet } of nodes) await ip(`route add ${podSubnet} via ${address}`);
  // Clients outside of the nodes reach Services through the first node.
  await ip(`route add ${SERVICE_NETWORK} via ${first.address}`);
}

async function linkNode(node: NodeAddress, all: readonly NodeAddress[]): Promise<void> {
  const { name, address } = node;
  const inNode = (command: string) => ip(`-netns ${name} ${command}`);
  await ip(`netns add ${name}`);
  await ip(`link add ${name} type veth peer name eth0 netns ${name}`);
  await ip(`link set ${name} master ${BRIDGE} up`);
  await inNode("link set lo up");
  await inNode(`address add ${address}/24 dev eth0`);
  await inNode("link set eth0 up");
  await inNode(`route add default via ${CONTROL_PLANE}`);
  for (const other of all) {
    if (other !== node) await inNode(`route add ${other.podSubnet} via ${other.address}`);
  }
  const settings = ["net/ipv4/ip_forward", "net/bridge/bridge-nf-call-iptables"];
  const script = settings.map((setting) => `echo 1 > /proc/sys/${setting}`).join(" && ");
  await run("nsenter", [`--net=/run/netns/${name}`, "sh", "-c", script]);
}

/** Makes this process resolve names like a pod of the cluster. */
export function useClusterNames(file: string, namespace: string): Promise<void> {
  const search = ["svc.cluster.local", "cluster.local"];
  const text = `search ${namespace}.${search.join(" ")}\nnameserver ${CONTROL_PLANE}\noptions ndots:5\n`;
  return writeFile(file, text);
}

async function ip(command: string): Promise<void> {
  await run("ip", command.split(" "));
}
