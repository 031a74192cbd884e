import { readFileSync } from "node:fs";
import { join } from "node:path";

const SERVICES = join(import.meta.dirname, "../services");
/** Where variables are read that every service has. */
const SHARED = ["service/src/config", "service/src/deployment", "service/src/lifecycle"]
  .concat("service/src/log-levels", "service/src/logger", "telemetry/src/config")
  .map((file) => readFileSync(join(SERVICES, "shared", `${file}.ts`), "utf8"))
  .join("\n");
/** Node's own, and what only stands in another variable. */
const NOT_READ = ["NODE_OPTIONS", "DATABASE_PASSWORD"];

/** Names of the variables of an environment that the service never looks at. */
export function unreadVariables(service: string, environment: object): string[] {
  const read = SHARED + readFileSync(join(SERVICES, service, "src/config.ts"), "utf8");
  return Object.keys(environment).filter(
    (name) => !NOT_READ.includes(name) && !new RegExp(`\\b${name}\\b`).test(read),
  );
}
