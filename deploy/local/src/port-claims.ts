import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

const FOLDER = join(tmpdir(), `nutrition-ports-${userInfo().username}`);
const PERIOD_MS = 10 * 60_000;

/**
 * Claims a port for 10 to 20 minutes. A port that was found free is bound only seconds later, by
 * another process; without claims, two launchers or tests that choose at the same time may choose
 * the same.
 *
 * @returns false when it is already claimed.
 */
export function claimPort(port: number, now = Date.now(), folder = FOLDER): boolean {
  const period = Math.floor(now / PERIOD_MS);
  const claimIn = (at: number) => join(folder, String(at), String(port));
  if (existsSync(claimIn(period - 1))) return false;
  try {
    mkdirSync(join(folder, String(period)), { recursive: true, mode: 0o700 });
    closeSync(openSync(claimIn(period), "wx"));
    for (const at of readdirSync(folder)) {
      if (Number(at) < period - 1) rmSync(join(folder, at), { recursive: true, force: true });
    }
  } catch (error) {
    // Claims only make a conflict less likely, so a read-only folder is no error.
    return (error as NodeJS.ErrnoException).code !== "EEXIST";
  }
  return true;
}
