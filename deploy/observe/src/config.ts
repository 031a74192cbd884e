import { parseEnvironment, port } from "@nutrition/service/config";
import { z } from "zod";

export interface ViewerConfig {
  /** 0 picks a free port. */
  readonly port: number;
}

const environment = z.object({ PORT: port.default(4_318) });

/** Reads the environment. Throws a `ConfigError` that names every invalid variable. */
export function readConfig(variables: NodeJS.ProcessEnv): ViewerConfig {
  return { port: parseEnvironment(environment, variables).PORT };
}
