import { SERVICES } from "../alerts.ts";
import { analysis } from "./analysis.ts";
import type { Dashboard } from "./dashboard.ts";
import { limits } from "./limits.ts";
import { postgresql } from "./postgresql.ts";
import { serviceDashboard } from "./service.ts";
import { users } from "./users.ts";

export const DASHBOARDS: readonly Dashboard[] = [
  users,
  limits,
  analysis,
  postgresql,
  ...SERVICES.map(serviceDashboard),
];
