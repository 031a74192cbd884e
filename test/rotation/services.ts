import type { RpcService } from "@nutrition/local/topology";

/** Those that are run: the pages and the identity provider have no part in it. */
export type Service = RpcService | "gateway";

/** With what each caller calls under load, the janitor of limits apart. */
export const METHODS: Readonly<Record<RpcService, readonly RegExp[]>> = {
  auth: [/Authenticate/],
  limits: [/Count/, /Reserve|Commit/],
  analysis: [/Analyze/],
  journal: [/GetSummary|LogFood/],
};
