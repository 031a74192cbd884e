/** Those that others call. */
export const CALLEES = ["auth", "limits", "analysis", "journal"] as const;
export type Callee = (typeof CALLEES)[number];
export type Service = Callee | "gateway";

/** Whom each service calls. */
export const CALLS: Readonly<Partial<Record<Service | "admin", readonly Callee[]>>> = {
  gateway: ["auth", "journal", "limits"],
  journal: ["limits", "analysis"],
  limits: ["journal"],
  admin: CALLEES,
};
/** With what each caller calls under load, the janitor of limits apart. */
export const METHODS: Readonly<Record<Callee, readonly RegExp[]>> = {
  auth: [/Authenticate/],
  limits: [/Count/, /Reserve|Commit/],
  analysis: [/Analyze/],
  journal: [/GetSummary|LogFood/],
};
