import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { IMAGES } from "../../images/names.ts";
import { step } from "../checks/steps.ts";
import { run } from "../command.ts";
import { PAUSE_IMAGE } from "../machine/node.ts";
import { CACHE, programPath } from "../programs.ts";
import { DEBIAN, makeBaseImages, NODE, POSTGRES } from "./base-images.ts";
import { buildah, idsOf, makeImage } from "./buildah.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** Images that contain the migrations of the journal. */
const MIGRATED = ["journal", "setup"];
/** Tags of two versions: the work tree, and the work tree with an additional migration. */
export const VERSIONS = { before: "before", after: "after" } as const;
/** The chart's `image.repository`. It is never contacted. */
export const REPOSITORY = "registry.test/nutrition-journal";

const NAME = "org.opencontainers.image.ref.name";
/** The migration of the later version. Nothing reads its column. */
const MIGRATION = "services/journal/migrations/9999_cluster_test.sql";
const MIGRATION_SQL = "alter table entries add column cluster_test text;\n";

/** Builds the images of everything that runs in the cluster, into an archive for containerd. */
export async function archiveImages(): Promise<string> {
  await step("base images", makeBaseImages);
  for (const service of IMAGES) await step(`image of ${service}`, () => buildService(service));
  await step("images with another migration", async () => {
    for (const service of MIGRATED) await addMigration(service);
  });
  await makePause();
  await step("images of earlier code are removed", async () => {
    await buildah("rmi", "--prune", "--force");
  });
  const archived = [
    ...IMAGES.map((service) => imageOf(service, VERSIONS.before)),
    ...MIGRATED.map((service) => imageOf(service, VERSIONS.after)),
    ...[POSTGRES, PAUSE_IMAGE],
  ];
  return step("archive of all images", () => archive(archived));
}

function imageOf(service: string, version: string): string {
  return `${REPOSITORY}/${service}:${version}`;
}

async function buildService(service: string): Promise<void> {
  // Packages are fetched and resolved once for all images. pnpm stores them beside the project,
  // because its default store is on another disk.
  const kept = {
    "pnpm-home": "/root/.local/share/pnpm",
    "pnpm-cache": "/root/.cache/pnpm",
    pnpm: "/.pnpm-store",
    npm: "/root/.npm",
  };
  const volumes = Object.entries(kept).map(
    ([name, place]) => `--volume=${folderFor(name)}:${place}`,
  );
  const values = {
    NODE_IMAGE: NODE,
    RUNTIME_IMAGE: DEBIAN,
    SERVICE: service,
    VERSION: VERSIONS.before,
  };
  const build = (...options: readonly string[]) =>
    buildah(
      ...["bud", "--layers", "--pull-never", "--quiet", "--file", join(ROOT, "deploy/Dockerfile")],
      ...volumes,
      ...Object.entries(values).map(([name, value]) => `--build-arg=${name}=${value}`),
      ...[...options, ROOT],
    );
  // Named, so that it is kept for the next run when images without a name are removed.
  await build("--target=install", `--tag=localhost/cluster/install-${service}`);
  await build(`--tag=${imageOf(service, VERSIONS.before)}`);
}

function folderFor(name: string): string {
  const folder = join(CACHE, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function addMigration(service: string): Promise<void> {
  const [before, after] = [imageOf(service, VERSIONS.before), imageOf(service, VERSIONS.after)];
  await makeImage(after, before, async (container) => {
    const folder = mkdtempSync(join(CACHE, "migration-"));
    writeFileSync(join(folder, "migration.sql"), MIGRATION_SQL, { mode: 0o644 });
    await buildah("copy", container, join(folder, "migration.sql"), `/app/${MIGRATION}`);
    rmSync(folder, { recursive: true });
  });
}

async function makePause(): Promise<void> {
  await makeImage(PAUSE_IMAGE, "scratch", async (container) => {
    await buildah("copy", "--quiet", container, programPath("pause"), "/pause");
    await buildah("config", "--entrypoint", '["/pause"]', container);
  });
}

/** The archive contains shared layers once. */
async function archive(names: readonly string[]): Promise<string> {
  const key = createHash("sha256")
    .update((await idsOf(names)).join())
    .digest("hex")
    .slice(0, 12);
  const path = join(CACHE, `images-${key}.tar`);
  if (existsSync(path)) return path;
  for (const file of readdirSync(CACHE)) if (file.startsWith("images-")) rmSync(join(CACHE, file));
  const folder = join(CACHE, "layout");
  for (const name of names) {
    await buildah("push", "--quiet", "--compression-level=1", name, `oci:${folder}:${name}`);
  }
  const file = join(folder, "index.json");
  const index = JSON.parse(readFileSync(file, "utf8")) as Index;
  const named = index.manifests.filter(({ annotations }) =>
    names.includes(annotations[NAME] ?? ""),
  );
  writeFileSync(file, JSON.stringify({ ...index, manifests: named.flatMap(withLaterName) }));
  await run("tar", ["-cf", path, "-C", folder, "."]);
  rmSync(folder, { recursive: true });
  return path;
}

/**
 * Tags an image for containerd. An image without migrations gets the tag of the later version, too.
 */
function withLaterName(manifest: ImageManifest): ImageManifest[] {
  const { [NAME]: name = "" } = manifest.annotations;
  const [, service = ""] = /([a-z]+):before$/.exec(name) ?? [];
  const isLaterAsWell = IMAGES.includes(service) && !MIGRATED.includes(service);
  const names = isLaterAsWell ? [name, imageOf(service, VERSIONS.after)] : [name];
  return names.map((each) => ({
    ...manifest,
    annotations: { [NAME]: each, "io.containerd.image.name": each },
  }));
}

interface ImageManifest {
  readonly annotations: Readonly<Record<string, string>>;
}
interface Index {
  readonly manifests: readonly ImageManifest[];
}
