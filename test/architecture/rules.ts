import { ALL, CLOSED, PACKAGES, SERVICES, TOLERATED_CIRCLES } from "./matrix.ts";
import type { Row } from "./matrix.ts";
import { circlesIn, siblingGraphs } from "./circles.ts";
import { COMPUTED } from "./imports.ts";
import type { Import, Package, Source } from "./repository.ts";
import { ownerOf, resolveImports } from "./repository.ts";

/** What tests of a package may import beside what the package itself may: to start the others. */
const FOR_TESTS = [
  "core",
  "local",
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

/** Everything about the imports of these sources that the matrix does not allow, a sentence each. */
export function findViolations(sources: readonly Source[], packages: readonly Package[]): string[] {
  const imports = resolveImports(sources, packages);
  const refused = imports.flatMap((one) => {
    const reason = reasonAgainst(one, packages);
    return reason === undefined ? [] : [`${one.from} imports ${one.specifier}: ${reason}`];
  });
  return [...refused, ...findCircles(imports, packages), ...findDeclared(packages)];
}

/** Services that another service's manifest lets it import, in whatever list. */
function findDeclared(packages: readonly Package[]): string[] {
  return packages.filter(isService).flatMap(({ folder, name, declared }) =>
    declared
      .filter((other) => packages.some((one) => one.name === other && isService(one)))
      .filter((other) => other !== name)
      .map((other) => `${folder}/package.json names ${other}: services do not know each other`),
  );
}

/** Circles of files, and of folders and files beside each other, tests and types included. */
function findCircles(imports: readonly Import[], packages: readonly Package[]): string[] {
  const links = imports.flatMap(({ from, target }) => {
    const owner = ownerOf(from, packages);
    const isInside = target !== undefined && owner === ownerOf(target, packages);
    // Nobody imports a test, so it can be part of no circle of files; it may look anywhere.
    return isInside && !from.endsWith(".test.ts") ? [[from, target] as const] : [];
  });
  const isTolerated = (folder: string) =>
    TOLERATED_CIRCLES.some((one) => `${folder}/`.startsWith(`${one}/`));
  return [...siblingGraphs(links)].flatMap(([folder, graph]) =>
    (isTolerated(folder) ? [] : circlesIn(graph)).map(
      (circle) => `${folder} has a circle of ${circle.join(", ")}`,
    ),
  );
}

function reasonAgainst(one: Import, packages: readonly Package[]): string | undefined {
  const { from, specifier, target } = one;
  const owner = ownerOf(from, packages);
  // What tests the whole may look into everything.
  if (!owner || owner.folder === "test" || owner.name === "test-support") return undefined;
  if (specifier === COMPUTED) {
    return isService(owner) && roomOf(from, owner) && !TEST.test(from)
      ? "it can be anything"
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
  return name === owner.name || all.includes(name) ? undefined : `${name} is not for it`;
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
  return mayEnter ? undefined : `only ${open.join(", ")} knows ${folder}`;
}

function rowOf(from: string, owner: Package): Row | undefined {
  return SERVICES[owner.name]?.[roomOf(from, owner) ?? ""];
}

/** The folder of `src`, or the file itself, that a path belongs to; undefined outside of `src`. */
function roomOf(path: string, { folder }: Package): string | undefined {
  const inside = path.slice(folder.length + 1);
  return inside.startsWith("src/") ? inside.split("/")[1] : undefined;
}

function isService({ folder }: Package): boolean {
  return /^services\/[^/]+$/.test(folder);
}
