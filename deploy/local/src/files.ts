import { readFile, rename, writeFile } from "node:fs/promises";

/** The JSON value in a file; undefined when the file does not exist. */
export async function readJson<Value>(file: string): Promise<Value | undefined> {
  let text;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as Value;
  } catch (error) {
    throw new Error(`${file} is not JSON. Fix it, or move it away and start again.`, {
      cause: error,
    });
  }
}

/**
 * Writes JSON that only its owner may read; readers see the old file or the new one, never a part.
 */
export async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
