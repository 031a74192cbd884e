// Installs the dependencies when they are missing or out of date, then fills the compile cache. Plain
// JavaScript that runs on Node 20: the Node 24 that everything else runs on is itself one of the dependencies.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { COMPILE_CACHE } from "./compile-cache.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const STAMP = join(ROOT, "node_modules/.installed");
const SIGN_OF_LIFE_MS = 15_000;
const OFFLINE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL/;
const LINES_SHOWN = 30;

const current = fingerprint();
if (!isInstalled(current)) await install(current);

/** Changes whenever an install is needed: when a manifest, the lock file or the machine changes. */
function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  const files = ["pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc", ...manifests(".", 3)];
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
  return (
    existsSync(STAMP) &&
    readFileSync(STAMP, "utf8") === fingerprintWanted &&
    existsSync(join(ROOT, "node_modules/.bin/node"))
  );
}

async function install(fingerprintWanted) {
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1_000);
  console.log("Installing the dependencies; this takes a moment the first time.");
  const signOfLife = setInterval(
    () => console.log(`  still installing (${seconds()} s)`),
    SIGN_OF_LIFE_MS,
  );
  const { code, output } = await runPnpm();
  clearInterval(signOfLife);
  if (code !== 0) fail(output);
  await compile();
  writeFileSync(STAMP, fingerprintWanted);
  console.log(`Installed in ${seconds()} s.`);
}

/** Runs the pinned pnpm with the pinned Node, so that neither has to be installed. */
function runPnpm() {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const registry = process.env.npm_config_registry;
  const args = [
    ...["--yes", "--loglevel=error"],
    ...["-p", `node@${manifest.dependencies.node}`, "-p", manifest.packageManager],
    ...["pnpm", "install", "--frozen-lockfile", "--pm-on-fail=ignore"],
    ...["--prefer-offline", "--reporter=append-only"],
    ...["--config.confirm-modules-purge=false", ...(registry ? [`--registry=${registry}`] : [])],
  ];
  return new Promise((resolve) => {
    const child = spawn("npx", args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
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
  const node = join(ROOT, "node_modules/.bin/node");
  const child = spawn(node, [join(ROOT, "deploy/compile.mjs")], {
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
