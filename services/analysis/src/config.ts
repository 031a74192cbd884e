import { parseEnvironment, rpcServiceEnvironment } from "@nutrition/service/config";

export type AnalysisConfig = ReturnType<typeof readConfig>;

/** Reads the environment. Throws a `ConfigError`. */
export function readConfig(environment: NodeJS.ProcessEnv) {
  return parseEnvironment(rpcServiceEnvironment, environment);
}
