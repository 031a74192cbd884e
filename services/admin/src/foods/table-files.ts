import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";

import { Failure } from "@nutrition/core/failure";
import type { Entry, ZipFile } from "yauzl";
import { openPromise } from "yauzl";

/** The CSV files of a download, in a folder or in its archive, which is never unpacked to disk. */
export interface TableFiles extends Disposable {
  /** The folder or the archive. */
  path: string;
  /** Uncompressed size of the file in bytes; 0 when it is missing. */
  size(name: string): number;
  /** The text of the file from its beginning. It can be read more than once. */
  open(name: string): Promise<Readable>;
}

/**
 * Maximum number of entries of an archive, and uncompressed size of one: the full download has 30
 * GB in 40 entries.
 */
const ENTRIES_MAX = 10_000;
const ENTRY_BYTES_MAX = 60_000_000_000;
/** The file that every download has. */
export const FOODS = "food.csv";
/**
 * USDA's name for the folder of a download, such as
 * FoodData_Central_foundation_food_csv_2026-04-30.
 */
const DOWNLOAD = /^FoodData_Central_.*csv/u;

/** Opens a folder or a zip archive. For anything else, fails with advice. */
export async function openTableFiles(path: string): Promise<TableFiles> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Failure("not_found", "FILE_NOT_FOUND", `The file ${path} does not exist.`);
  const files = await (found.isDirectory() ? openFolder(path) : openArchive(path));
  if (files.size(FOODS) > 0) return files;
  files[Symbol.dispose]();
  return missing(FOODS);
}

async function openFolder(given: string): Promise<TableFiles> {
  const path = await folderOfTables(given);
  const files = new Map<string, { path: string; size: number }>();
  for (const name of await tablesIn(path)) {
    const file = join(path, name);
    files.set(name, { path: file, size: (await stat(file)).size });
  }
  return {
    path,
    size: (name) => files.get(name)?.size ?? 0,
    open: async (name) => createReadStream(files.get(name)?.path ?? missing(name)),
    [Symbol.dispose]: () => {},
  };
}

/** The folder itself, or the only download directly in it. */
async function folderOfTables(path: string): Promise<string> {
  if ((await tablesIn(path)).includes(FOODS)) return path;
  const entries = await readdir(path, { withFileTypes: true });
  const downloads = entries
    .filter((entry) => entry.isDirectory() && DOWNLOAD.test(entry.name))
    .map(({ name }) => join(path, name))
    .sort();
  if (downloads.length > 1) {
    const message = `${path} contains several downloads. Import one after the other: ${downloads.join(", ")}.`;
    throw new Failure("invalid_argument", "SEVERAL_DOWNLOADS", message);
  }
  return downloads[0] ?? path;
}

async function tablesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && isTable(entry.name)).map(({ name }) => name);
}

async function openArchive(path: string): Promise<TableFiles> {
  const archive = await openPromise(path, { autoClose: false, lazyEntries: true }).catch(
    (error: unknown) => {
      throw unreadable(path, error);
    },
  );
  const entries = await entriesOf(archive).catch((error: unknown) => {
    archive.close();
    throw unreadable(path, error);
  });
  return {
    path,
    size: (name) => entries.get(name)?.uncompressedSize ?? 0,
    open: (name) => archive.openReadStreamPromise(entries.get(name) ?? missing(name)),
    [Symbol.dispose]: () => archive.close(),
  };
}

/** Tables by the last part of their path; the rest of the path is ignored. */
async function entriesOf(archive: ZipFile): Promise<Map<string, Entry>> {
  if (archive.entryCount > ENTRIES_MAX) throw new Error(`more than ${ENTRIES_MAX} entries`);
  const entries = new Map<string, Entry>();
  for await (const entry of archive.eachEntry()) {
    const name = basename(entry.fileName);
    if (!isTable(name) || entries.has(name)) continue;
    if (entry.uncompressedSize > ENTRY_BYTES_MAX) throw new Error(`${name} is too large`);
    entries.set(name, entry);
  }
  return entries;
}

function isTable(name: string): boolean {
  return name.endsWith(".csv") && !name.startsWith(".");
}

function missing(name: string): never {
  throw new Failure(
    "invalid_argument",
    "FILE_MISSING",
    `${name} is missing. Give the CSV download of FoodData Central unchanged, or the folder it was unpacked to.`,
  );
}

function unreadable(path: string, cause: unknown): Failure {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `${path} is not a readable zip archive (${reason}). Download it again, or give the folder it was unpacked to.`;
  return new Failure("invalid_argument", "INVALID_ARCHIVE", message, { cause });
}
