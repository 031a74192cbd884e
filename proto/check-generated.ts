// Fails when the committed code in gen/ differs from the code generated from the contracts.
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = import.meta.dirname;
const fresh = await mkdtemp(join(tmpdir(), "nutrition-proto-"));
try {
  execFileSync("buf", ["generate", "--output", fresh], { cwd: folder, stdio: "inherit" });
  const [committed, generated] = await Promise.all([folder, fresh].map(readGenerated));
  if (JSON.stringify(committed) !== JSON.stringify(generated)) {
    console.error("proto/gen is not up to date: run npm run generate and commit the result.");
    process.exitCode = 1;
  }
} finally {
  await rm(fresh, { recursive: true });
}

async function readGenerated(root: string): Promise<[string, string][]> {
  const gen = join(root, "gen");
  const entries = await readdir(gen, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files
      .sort()
      .map(async (file): Promise<[string, string]> => [
        file.slice(gen.length),
        await readFile(file, "utf8"),
      ]),
  );
}
