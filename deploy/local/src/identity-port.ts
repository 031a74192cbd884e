import type { LocalConfig } from "./config.ts";
import type { DataFolder } from "./data-folder.ts";
import { readJson, writeJson } from "./files.ts";
import type { Say } from "./fleet.ts";
import { choosePublicPort } from "./ports.ts";

interface KeptPort {
  port: number;
}

/** The port of the development identity provider's last start. */
export async function findKeptPort({ identityPort }: DataFolder): Promise<number | undefined> {
  return (await readJson<KeptPort>(identityPort))?.port;
}

export interface IdentityPortOptions {
  config: LocalConfig;
  folder: DataFolder;
  say: Say;
  kept: number | undefined;
  /** The gateway's port, after which the search begins. */
  gateway: number;
}

/**
 * The port of the development identity provider: the one it had before, else the next free one
 * after the gateway's, which it then keeps. Its address is part of every token.
 */
export async function chooseIdentityPort(options: IdentityPortOptions): Promise<number> {
  const { config, folder, say, kept, gateway } = options;
  const isTaken = kept === gateway;
  const first = kept === undefined || isTaken ? gateway + 1 : kept;
  const port = await choosePublicPort({ port: { first, isFixed: false }, host: config.host });
  if (kept !== undefined && kept !== port) {
    say(
      `Port ${kept}, which people signed in at, is in use by another program; taking ${port}. ` +
        "Assistants that were connected have to be connected again.",
    );
  }
  await writeJson(folder.identityPort, { port } satisfies KeptPort);
  return port;
}

/** The issuer of the development identity provider, on the host that people open the pages at. */
export function issuerAt(baseUrl: string, port: number): string {
  return `http://${new URL(baseUrl).hostname}:${port}/auth/v1`;
}
