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

/** Layout of the data that is kept between starts. */
export interface DataFolder {
  root: string;
  /** Held by the running launcher. */
  lock: string;
  secrets: string;
  /** The id of this installation. */
  installation: string;
  /** The demo account, for people and programs. */
  demo: string;
  /** Progress of the demo's history. */
  seed: string;
  /** What the operator's command line needs to find the services. */
  admin: string;
  /** The running service processes. */
  processes: string;
  logs: string;
}

/** Created first, to mark the folder as a data folder. */
const RUN = "run";
const OUTSIDE = "/var/lib/nutrition-journal";

/** Reasons why a folder cannot be used, by the operating system's error code. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "belongs to another account, or is in a folder of another account",
  EPERM: "belongs to another account",
  ENOTDIR: "would be inside a file",
  EEXIST: "is a file",
  ENOENT: "cannot be created there",
  EROFS: "is on a read-only disk",
  ENOSPC: "is on a full disk",
};

/**
 * Creates the folder, closed to other accounts. Throws a readable message when it cannot be created
 * or this account may not use it.
 */
export async function openDataFolder(root: string): Promise<DataFolder> {
  const run = join(root, RUN);
  const folder: DataFolder = {
    root,
    lock: join(run, "launcher.json"),
    secrets: join(root, "secrets.json"),
    installation: join(root, "installation.json"),
    demo: join(root, "demo.json"),
    seed: join(run, "seed.json"),
    admin: join(run, "admin.json"),
    processes: join(run, "processes.json"),
    logs: join(root, "logs"),
  };
  try {
    await makeFolder(root);
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
    const found = await readdir(root);
    // The permissions of other people's files must not change, as happens below.
    if (found.length > 0 && !found.includes(RUN)) throw new Error("contains other files");
    // Root's PostgreSQL runs under another account, which needs access to its data.
    await chmod(root, process.getuid?.() === 0 ? 0o711 : 0o700);
    for (const part of [run, folder.logs]) await makeFolder(part);
  } catch (cause) {
    throw unusable(root, cause);
  }
  return folder;
}

/** Creates a folder and its missing parents; refuses a file in its place. */
async function makeFolder(folder: string): Promise<void> {
  // Node's own `recursive` option loops forever in a file system that cannot create folders, such
  // as /proc.
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
 * Location of PostgreSQL's data: in the data folder or, if its account has no access to that (a
 * clone in /root), in a system folder to which a link in the data folder points.
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
