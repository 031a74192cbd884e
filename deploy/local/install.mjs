// Installs the dependencies when they are missing or out of date, then fills the compile cache. Plain
// JavaScript that runs on Node 20: the Node 24 that everything else runs on is the first to be installed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { COMPILE_CACHE } from "./compile-cache.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const STAMP = join(ROOT, "node_modules/.installed");
const NODES = join(ROOT, "deploy/local/node");
/** Its lock file has the hash of Node for this machine. */
const NODE_PROJECT = join(NODES, `${process.platform}-${process.arch}`);
/** Where `npm run` and all code look for Node. */
const NODE = join(ROOT, "node_modules/.bin/node");
const SIGN_OF_LIFE_MS = 15_000;
const OFFLINE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL/;
const LINES_SHOWN = 30;

const current = fingerprint();
if (!isInstalled(current)) await install(current);

/** Changes whenever an install is needed: when a manifest, the lock file or the machine changes. */
function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  const nodes = manifests("deploy/local/node", 1).flatMap((manifest) => [
    manifest,
    join(dirname(manifest), "package-lock.json"),
  ]);
  const files = ["pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc", ...nodes, ...manifests(".", 3)];
  for (const file of files) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
}

/** The package.json files down to a depth, in a stable order. */
function manifests(folder, depth) {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  const manifest = entries.some((entry) => entry.name === "package.json")
    ? [join(folder, "package.json")]
    : [];
  if (depth === 0) return manifest;
  const folders = entries
    .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$)/.test(entry.name))
    .map((entry) => join(folder, entry.name))
    .sort();
  return [...manifest, ...folders.flatMap((name) => manifests(name, depth - 1))];
}

function isInstalled(fingerprintWanted) {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprintWanted && existsSync(NODE);
}

async function install(fingerprintWanted) {
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1_000);
  console.log("Installing the dependencies; this takes a moment the first time.");
  const signOfLife = setInterval(
    () => console.log(`  still installing (${seconds()} s)`),
    SIGN_OF_LIFE_MS,
  );
  const node = await installNode();
  const { code, output } = await runPnpm(node);
  clearInterval(signOfLife);
  if (code !== 0) fail(output);
  linkNode(node);
  await compile();
  writeFileSync(STAMP, fingerprintWanted);
  console.log(`Installed in ${seconds()} s.`);
}

/** Installs the pinned Node; resolves with its path. */
async function installNode() {
  if (!existsSync(NODE_PROJECT)) return installNodeByVersion();
  await npm("ci", "--prefix", NODE_PROJECT);
  const name = `node-${process.platform}-${process.arch}`;
  return join(NODE_PROJECT, "node_modules", name, "bin/node");
}

/** For macOS: this package finds the one for the machine, of which only the registry knows the hash. */
async function installNodeByVersion() {
  const { dependencies } = readJson(join(NODES, "linux-x64/package.json"));
  const [version] = Object.values(dependencies);
  await npm("install", "--no-save", "--prefix", NODES, `node@${version}`);
  return join(NODES, "node_modules/node/bin/node");
}

async function npm(...args) {
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];
  const { code, output } = await run("npm", [...args, ...quiet]);
  if (code !== 0) fail(output);
}

/** Runs the pinned pnpm with the pinned Node, so that neither has to be installed. */
function runPnpm(node) {
  const registry = process.env.npm_config_registry;
  const args = [
    ...["--yes", "--loglevel=error", "-p", readJson(join(ROOT, "package.json")).packageManager],
    ...["pnpm", "install", "--frozen-lockfile", "--pm-on-fail=ignore"],
    ...["--prefer-offline", "--reporter=append-only"],
    ...["--config.confirm-modules-purge=false", ...(registry ? [`--registry=${registry}`] : [])],
  ];
  return run("npx", args, { PATH: `${dirname(node)}${delimiter}${process.env.PATH}` });
}

function linkNode(node) {
  mkdirSync(dirname(NODE), { recursive: true });
  rmSync(NODE, { force: true });
  symlinkSync(relative(dirname(NODE), node), NODE);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Runs a program in the root; resolves with its exit code and all that it printed. */
function run(program, args, environment = {}) {
  const env = { ...process.env, ...environment };
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    }
    child.on("error", (error) => resolve({ code: 1, output: String(error) }));
    child.on("close", (code) => resolve({ code, output }));
  });
}

/** Fills the compile cache. Everything works without it, so a failure is only reported. */
function compile() {
  // Entries of earlier package versions would stay forever.
  rmSync(COMPILE_CACHE, { recursive: true, force: true });
  const child = spawn(NODE, [join(ROOT, "deploy/compile.mjs")], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve) => child.on("error", resolve).on("close", resolve));
}

function fail(output) {
  console.error(output.trimEnd().split("\n").slice(-LINES_SHOWN).join("\n"));
  console.error(
    OFFLINE.test(output)
      ? "\nThe npm registry could not be reached. Check the network (and `npm config get registry`), then run the same command again."
      : "\nThe install failed; see the lines above. Fix the cause, then run the same command again.",
  );
  process.exit(1);
}
