import type { RpcService } from "@nutrition/local/topology";

/** The services in this test, without the pages and the identity provider. */
export type Service = RpcService | "gateway";

/** The callees of each caller under load, without reservation recovery. */
export const METHODS: Readonly<Record<RpcService, readonly RegExp[]>> = {
  auth: [/Authenticate/],
  limits: [/Count/, /Reserve|Commit/],
  analysis: [/Analyze/],
  journal: [/GetSummary|LogFood/],
};
