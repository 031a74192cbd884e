import { join } from "node:path";

import { ROOT } from "./config.ts";
import { choosePublicPort } from "./ports.ts";
import type { Wiring } from "./wiring.ts";

/** Name of its process and its log. */
export const VIEWER = "observe";
/** The file that runs it. */
export const VIEWER_MAIN = join(ROOT, "deploy/observe/src/main.ts");

const HOST = "127.0.0.1";
/** Default port of OTLP over HTTP. */
const FIRST_PORT = 4_318;

/** The port of OTLP or the next free one, so that the page usually keeps its address. */
export function chooseViewerPort(): Promise<number> {
  return choosePublicPort({ port: { first: FIRST_PORT, isFixed: false }, host: HOST });
}

export function viewerUrl(port: number): string {
  return `http://${HOST}:${port}`;
}

/** The whole environment of the viewer. */
export function viewerEnvironment(
  port: number,
  { config }: Pick<Wiring, "config">,
): Record<string, string> {
  const { PATH = "", TZ } = config.environment;
  return { PATH, ...(TZ ? { TZ } : {}), PORT: String(port) };
}
