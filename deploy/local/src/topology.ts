/** Services that other services call over gRPC. */
export const RPC_SERVICES = ["auth", "limits", "analysis", "journal"] as const;
export type RpcService = (typeof RPC_SERVICES)[number];
/** Services that browsers reach, the pages through the gateway. */
export type PageService = "identity" | "web";
export type ServiceName = RpcService | "gateway" | PageService;

/** The operator's command line: an identity without a process. */
export const OPERATOR = "admin";

interface Place {
  /** Whether it has a schema and a role in the database. */
  readonly hasDatabase: boolean;
  /** Services that it calls. */
  readonly calls: readonly RpcService[];
}

/**
 * Which service calls which, for the launcher, the tests and the benchmarks.
 */
export const TOPOLOGY: Readonly<Record<ServiceName | typeof OPERATOR, Place>> = {
  auth: { hasDatabase: true, calls: [] },
  limits: { hasDatabase: true, calls: ["journal"] },
  analysis: { hasDatabase: true, calls: [] },
  journal: { hasDatabase: true, calls: ["limits", "analysis"] },
  gateway: { hasDatabase: false, calls: ["auth", "journal", "limits"] },
  web: { hasDatabase: false, calls: ["auth", "journal", "limits"] },
  identity: { hasDatabase: false, calls: [] },
  [OPERATOR]: { hasDatabase: false, calls: RPC_SERVICES },
};

/** These services and all that they call, directly or indirectly. */
export function withCallees(names: readonly ServiceName[]): ServiceName[] {
  const found = new Set<ServiceName>(names);
  // Iterating a Set includes members added during the iteration.
  for (const name of found) for (const callee of TOPOLOGY[name].calls) found.add(callee);
  return [...found];
}

/** Environment variables with the addresses of a caller's callees. */
export function addressVariables(
  caller: ServiceName | typeof OPERATOR,
  addressOf: (callee: RpcService) => string,
): Record<string, string> {
  const addresses = TOPOLOGY[caller].calls.map((callee) => [
    `${callee.toUpperCase()}_ADDRESS`,
    addressOf(callee),
  ]);
  return Object.fromEntries(addresses) as Record<string, string>;
}
