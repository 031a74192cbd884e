import { parseEnvironment, rpcServiceEnvironment } from "@nutrition/service/config";

const environmentSchema = rpcServiceEnvironment.omit({ DATABASE_URL: true });

export type AnalysisConfig = ReturnType<typeof readConfig>;

/** Reads the environment. Throws a `ConfigError`. */
export function readConfig(environment: NodeJS.ProcessEnv) {
  return parseEnvironment(environmentSchema, environment);
}
