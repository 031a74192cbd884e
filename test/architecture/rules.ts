import { copiedPaths, isWithin } from "../images/dockerfile.ts";
import { ALL, CLOSED, PACKAGES, SERVICES } from "./matrix.ts";
import type { Row } from "./matrix.ts";
import { circlesIn, siblingGraphs } from "./circles.ts";
import { COMPUTED } from "./imports.ts";
import type { Import, Package, Source } from "./repository.ts";
import { ownerOf, resolveImports } from "./repository.ts";

/** Additional packages that tests of a package may import, to start other services. */
const FOR_TESTS = [
  "core",
  "test-support",
  "oauth",
  "postgres",
  "proto",
  "redis",
  "rpc",
  "service",
  "telemetry",
];
const TEST = /\.test\.ts$|\/test\//;

/** All violations of the matrix by the imports of these sources, one sentence each. */
export function findViolations(sources: readonly Source[], packages: readonly Package[]): string[] {
  const imports = resolveImports(sources, packages);
  const refused = imports.flatMap((one) => {
    const reason = reasonAgainst(one, packages);
    return reason === undefined ? [] : [`${one.from} imports ${one.specifier}: ${reason}`];
  });
  return [...refused, ...findCircles(imports, packages), ...findUnheld(packages)];
}

/**
 * Finds packages of images that list a package which the images do not hold. pnpm installs such an
 * image or refuses, depending on whether a part of that package's folder is there.
 */
function findUnheld(packages: readonly Package[]): string[] {
  return packages.filter(isInImages).flatMap(({ folder, name, declared }) => {
    const held = copiedPaths(name);
    return declared
      .filter((other) => {
        const manifest = packages.find((one) => one.name === other)?.folder ?? "";
        return !isWithin(`${manifest}/package.json`, held);
      })
      .map((other) => `${folder}/package.json lists ${other}: deploy/Dockerfile does not copy it`);
  });
}

/** Cycles of files, and of sibling folders and files, including tests and types. */
function findCircles(imports: readonly Import[], packages: readonly Package[]): string[] {
  const links = imports.flatMap(({ from, target }) => {
    const owner = ownerOf(from, packages);
    const isInside = target !== undefined && owner === ownerOf(target, packages);
    // Nothing imports a test, so it cannot be part of a cycle of files.
    return isInside && !from.endsWith(".test.ts") ? [[from, target] as const] : [];
  });
  return [...siblingGraphs(links)].flatMap(([folder, graph]) =>
    circlesIn(graph).map((circle) => `${folder} has a cycle of ${circle.join(", ")}`),
  );
}

function reasonAgainst(one: Import, packages: readonly Package[]): string | undefined {
  const { from, specifier, target } = one;
  const owner = ownerOf(from, packages);
  // Tests of the whole system may import everything.
  if (!owner || owner.folder === "test" || owner.name === "test-support") return undefined;
  if (specifier === COMPUTED) {
    return isService(owner) && roomOf(from, owner) && !TEST.test(from)
      ? "it is computed"
      : undefined;
  }
  const other = target === undefined ? undefined : ownerOf(target, packages);
  if (target !== undefined && specifier.startsWith(".")) {
    if (other !== owner) return "it leaves the package";
    return closedTo(from, target) ?? reasonAgainstRoom(one, owner, target);
  }
  if (target === undefined) return reasonAgainstLibrary(one, owner);
  return reasonAgainstPackage(one, owner, other?.name ?? specifier);
}

function reasonAgainstPackage({ from }: Import, owner: Package, name: string): string | undefined {
  const allowed = rowOf(from, owner)?.packages ?? PACKAGES[owner.folder] ?? [];
  const all = TEST.test(from) ? [...FOR_TESTS, ...(PACKAGES[owner.folder] ?? [])] : allowed;
  return name === owner.name || all.includes(name) ? undefined : `it may not import ${name}`;
}

function reasonAgainstLibrary({ from, specifier }: Import, owner: Package): string | undefined {
  const libraries = TEST.test(from) ? undefined : rowOf(from, owner)?.libraries;
  if (!libraries || libraries.includes(specifier)) return undefined;
  return `${roomOf(from, owner)} may use ${libraries.join(", ")}`;
}

function reasonAgainstRoom({ from }: Import, owner: Package, target: string): string | undefined {
  if (TEST.test(from)) return undefined;
  if (TEST.test(target)) return "it is a test";
  const rooms = SERVICES[owner.name];
  const [room, other] = [roomOf(from, owner), roomOf(target, owner)];
  if (!rooms || !room || !other || room === other) return undefined;
  const row = rooms[room];
  if (!row) return `${room} has no row in test/architecture/matrix.ts`;
  if (row.rooms.includes(ALL) || row.rooms.includes(other)) return undefined;
  return `${room} may import ${row.rooms.join(", ") || "no other room"}`;
}

function closedTo(from: string, target: string): string | undefined {
  const closed = Object.entries(CLOSED).find(([folder]) => target.startsWith(`${folder}/`));
  if (!closed) return undefined;
  const [folder, open] = closed;
  const mayEnter = from.startsWith(`${folder}/`) || open.includes(from) || TEST.test(from);
  return mayEnter ? undefined : `only ${open.join(", ")} may import ${folder}`;
}

function rowOf(from: string, owner: Package): Row | undefined {
  return SERVICES[owner.name]?.[roomOf(from, owner) ?? ""];
}

/** The folder of `src`, or the file itself, that a path belongs to; undefined outside of `src`. */
function roomOf(path: string, { folder }: Package): string | undefined {
  const inside = path.slice(folder.length + 1);
  return inside.startsWith("src/") ? inside.split("/")[1] : undefined;
}

/** Services, and the code that they share. */
function isInImages({ folder }: Package): boolean {
  return /^services\/(shared\/)?[^/]+$/.test(folder);
}

function isService({ folder }: Package): boolean {
  return /^services\/[^/]+$/.test(folder);
}
