import { randomBytes } from "node:crypto";
import {
  access,
  chmod,
  constants,
  mkdir,
  readdir,
  readlink,
  stat,
  symlink,
} from "node:fs/promises";
import { dirname, join } from "node:path";

import { canEnter, type ProcessOwner } from "./postgres-binaries.ts";

/** Where everything lies that is kept between starts. */
export interface DataFolder {
  root: string;
  /** Held by the launcher that runs. */
  lock: string;
  secrets: string;
  /** The demo account, for the person and for programs. */
  demo: string;
  /** How far the demo's history is. */
  seed: string;
  /** What the command line of operators needs to find the services. */
  admin: string;
  /** The service processes that run now. */
  processes: string;
  logs: string;
  /** Compiled code, for faster starts. */
  cache: string;
}

/** Made first, so that it tells a data folder from any other. */
const RUN = "run";
const OUTSIDE = "/var/lib/nutrition-journal";

/** Why a folder cannot be used, by the operating system's code. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "belongs to another account, or lies in a folder of one",
  EPERM: "belongs to another account",
  ENOTDIR: "would lie in a file",
  EEXIST: "is a file",
  ENOENT: "cannot be made there",
  EROFS: "is on a disk that cannot be written to",
  ENOSPC: "is on a disk that is full",
};

/**
 * Makes the folder, closed to other accounts. Throws a sentence when it cannot be made or this
 * account may not use it.
 */
export async function openDataFolder(root: string): Promise<DataFolder> {
  const run = join(root, RUN);
  const folder: DataFolder = {
    root,
    lock: join(run, "launcher.json"),
    secrets: join(root, "secrets.json"),
    demo: join(root, "demo.json"),
    seed: join(run, "seed.json"),
    admin: join(run, "admin.json"),
    processes: join(run, "processes.json"),
    logs: join(root, "logs"),
    cache: join(root, "cache"),
  };
  try {
    await makeFolder(root);
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
    const found = await readdir(root);
    // Its rights are changed below, which other people's files must not suffer from.
    if (found.length > 0 && !found.includes(RUN)) throw new Error("holds other files");
    // Root's PostgreSQL runs under another account, which has to pass through to its data.
    await chmod(root, process.getuid?.() === 0 ? 0o711 : 0o700);
    for (const part of [run, folder.logs, folder.cache]) await makeFolder(part);
  } catch (cause) {
    throw unusable(root, cause);
  }
  return folder;
}

/** Makes a folder and those that it lies in, unless they are there; a file there is refused. */
async function makeFolder(folder: string): Promise<void> {
  // Node's own `recursive` never ends in a file system that makes no folders, such as /proc.
  const make = () => mkdir(folder, { mode: 0o700 });
  try {
    await make().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT" || dirname(folder) === folder) throw error;
      await makeFolder(dirname(folder));
      await make();
    });
  } catch (error) {
    const found = await stat(folder).catch(() => undefined);
    if (!found?.isDirectory()) throw error;
  }
}

function unusable(root: string, cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException;
  const reason = REASONS[code ?? ""] ?? message;
  return new Error(`DATA_DIR cannot be used: ${root} ${reason}. Choose another folder.`, { cause });
}

/**
 * Where PostgreSQL's data lies: in the data folder, or, when its account cannot get there (a clone
 * in /root), in a folder of the system that a link in the data folder names.
 */
export async function findPostgresFolder(
  { root }: DataFolder,
  owner: ProcessOwner | undefined,
): Promise<string> {
  const inside = join(root, "postgres");
  const linked = await readlink(inside).catch(() => undefined);
  if (linked !== undefined) return linked;
  if (owner === undefined || canEnter(root, owner)) return inside;
  const parent = join(OUTSIDE, randomBytes(6).toString("hex"));
  await mkdir(parent, { recursive: true, mode: 0o711 });
  await chmod(OUTSIDE, 0o711);
  await symlink(join(parent, "postgres"), inside);
  return join(parent, "postgres");
}
