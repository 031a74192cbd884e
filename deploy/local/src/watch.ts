import { watch } from "node:fs";
import { join } from "node:path";

import { ROOT } from "./config.ts";
import { OPERATOR, TOPOLOGY } from "./topology.ts";
import type { ServiceName } from "./topology.ts";

/** Editors write a file in several steps, and tools write many files at once. */
const SETTLED_MS = 200;
/** Files that no running service reads. */
const UNUSED = /(^|[/\\])(node_modules|test|\.[^/\\]+)([/\\]|$)|\.test\.ts$|\.md$|~$/;

const RUNNING = Object.keys(TOPOLOGY).filter((name) => name !== OPERATOR) as ServiceName[];

/** The consequences of changed files. */
export interface Change {
  /** Services that may have read one of the files. */
  readonly services: readonly ServiceName[];
  /** Whether to migrate the database first. */
  readonly hasMigrations: boolean;
}

/**
 * The services to restart when a file changes, by its path from the root: its own service, all
 * services for shared code, and none for tests and documents.
 */
export function servicesOf(path: string): readonly ServiceName[] {
  const [folder, name = ""] = path.split(/[/\\]/);
  if (UNUSED.test(path) || !["services", "proto"].includes(folder ?? "")) return [];
  if (folder === "proto" || !isPackageOfOne(name)) return RUNNING;
  return RUNNING.filter((service) => service === name);
}

export interface WatchOptions {
  onChange: (change: Change) => void;
  /** Called when watching fails, for example because the system allows no more watches. */
  onError: (error: Error) => void;
  /** Root of the repository. */
  root?: string;
}

/** Reports changes of the services' files in batches, until disposed. */
export function watchSources({ onChange, onError, root = ROOT }: WatchOptions): Disposable {
  const changed = new Set<string>();
  let settled: NodeJS.Timeout | undefined;
  const report = () => {
    const paths = [...changed];
    changed.clear();
    const services = [...new Set(paths.flatMap(servicesOf))];
    const hasMigrations = paths.some((path) => /[/\\]migrations[/\\]/.test(path));
    if (services.length > 0) onChange({ services, hasMigrations });
  };
  const watchers = ["services", "proto"].map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (file === null) return;
      changed.add(join(folder, file));
      clearTimeout(settled);
      settled = setTimeout(report, SETTLED_MS);
    }).on("error", onError),
  );
  return {
    [Symbol.dispose]() {
      clearTimeout(settled);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Whether a folder of `services` belongs to a single service or command. */
function isPackageOfOne(name: string): boolean {
  return name === "setup" || Object.hasOwn(TOPOLOGY, name);
}
