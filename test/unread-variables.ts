import { readFileSync } from "node:fs";
import { join } from "node:path";

const SERVICES = join(import.meta.dirname, "../services");
/** Files that read the variables of every service. */
const SHARED = ["service/src/config", "service/src/deployment", "service/src/lifecycle"]
  .concat("service/src/log-levels", "service/src/logger", "telemetry/src/config")
  .map((file) => readFileSync(join(SERVICES, "shared", `${file}.ts`), "utf8"))
  .join("\n");
/** Node's own variables, and those only used inside other variables. */
const NOT_READ = ["NODE_OPTIONS", "DATABASE_PASSWORD"];

/** Variables of an environment that the service never reads. */
export function unreadVariables(service: string, environment: object): string[] {
  const read = SHARED + readFileSync(join(SERVICES, service, "src/config.ts"), "utf8");
  return Object.keys(environment).filter(
    (name) => !NOT_READ.includes(name) && !new RegExp(`\\b${name}\\b`).test(read),
  );
}
