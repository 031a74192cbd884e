import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";

import { importsIn } from "./imports.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const SCOPE = "@nutrition/";
const IGNORED = /(^|\/)(node_modules|gen)\//;

/** A TypeScript file, by its path from the root. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** A package of the repository. */
export interface Package {
  /** Folder, such as `services/journal`. */
  readonly folder: string;
  /** Name without the scope, such as `journal`. */
  readonly name: string;
  /** Packages of the repository that its manifest names in any list of dependencies. */
  readonly declared: readonly string[];
}

/** An import, resolved if it is in the repository. */
export interface Import {
  readonly from: string;
  readonly specifier: string;
  /** Path of the file in the repository; undefined for a library. */
  readonly target: string | undefined;
}

export function readSources(): Source[] {
  const paths = ["proto", "services", "deploy", "helm", "test"].flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,mts,js,mjs}`, { cwd: ROOT }).filter((path) => !IGNORED.test(path)),
  );
  return paths.map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
}

export function readPackages(): Package[] {
  const manifests = globSync("{proto,services,deploy,helm,test}/**/package.json", { cwd: ROOT });
  return manifests
    .filter((path) => !IGNORED.test(path))
    .map((path) => packageOf(path, JSON.parse(readFileSync(join(ROOT, path), "utf8")) as Manifest));
}

interface Manifest {
  readonly name: string;
  readonly [list: string]: unknown;
}

/** Reads a manifest with all lists of dependencies, because each of them allows imports. */
export function packageOf(path: string, manifest: Manifest): Package {
  const lists = Object.entries(manifest).filter(([name]) => /dependencies$/i.test(name));
  const declared = lists
    .flatMap(([, list]) => Object.keys(list as object))
    .filter((name) => name.startsWith(SCOPE))
    .map((name) => name.slice(SCOPE.length));
  return { folder: dirname(path), name: manifest.name.slice(SCOPE.length), declared };
}

/** The package of a file: the innermost one whose folder contains it. */
export function ownerOf(path: string, packages: readonly Package[]): Package | undefined {
  const owners = packages.filter(({ folder }) => path.startsWith(`${folder}/`));
  return owners.toSorted((one, other) => other.folder.length - one.folder.length)[0];
}

export function resolveImports(sources: readonly Source[], packages: readonly Package[]): Import[] {
  return sources.flatMap(({ path: from, text }) =>
    importsIn(text).map((specifier) => ({
      from,
      specifier,
      target: targetOf(from, specifier, packages),
    })),
  );
}

function targetOf(
  from: string,
  specifier: string,
  packages: readonly Package[],
): string | undefined {
  const [bare = ""] = specifier.split("?");
  if (bare.startsWith(".")) return normalize(join(dirname(from), bare));
  if (!bare.startsWith(SCOPE)) return undefined;
  const [name, ...rest] = bare.slice(SCOPE.length).split("/");
  const folder = packages.find((one) => one.name === name)?.folder ?? `unknown package ${name}`;
  // All packages export `./src/*.ts` as `./*`, and the folder `test` as `test/*`.
  const inside = rest[0] === "test" ? rest.join("/") : `src/${rest.join("/")}`;
  return join(folder, `${inside}.ts`);
}
