import type { Manifest } from "./helm.ts";

interface Peer {
  readonly podSelector?: { readonly matchLabels?: Record<string, string> };
}

interface PolicySpec {
  readonly podSelector: { readonly matchLabels?: Record<string, string> };
  readonly ingress?: readonly { readonly from?: readonly Peer[] }[];
  readonly egress?: readonly { readonly to?: readonly Peer[] }[];
}

const COMPONENT = "app.kubernetes.io/component";

/** `caller>callee` for each pair of services that the policies of one side allow. */
export function edgesOf(manifests: readonly Manifest[], side: "ingress" | "egress"): string[] {
  const policies = manifests.filter(({ kind }) => kind === "NetworkPolicy");
  const edges = policies.flatMap(({ spec }) => {
    const { podSelector, ingress = [], egress = [] } = spec as unknown as PolicySpec;
    const own = podSelector.matchLabels?.[COMPONENT];
    if (own === undefined) return [];
    const peers =
      side === "ingress"
        ? ingress.flatMap(({ from = [] }) => from)
        : egress.flatMap(({ to = [] }) => to);
    const names = peers.flatMap(({ podSelector: peer }) => peer?.matchLabels?.[COMPONENT] ?? []);
    return names.map((name) => (side === "ingress" ? `${name}>${own}` : `${own}>${name}`));
  });
  return [...new Set(edges)].sort();
}
