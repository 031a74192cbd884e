import { existsSync } from "node:fs";

import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

/** Path of Chromium by default; `CHROMIUM_PATH` overrides it. */
const DEFAULT_PATH = "/usr/bin/chromium";

const CHROMIUM_PATH = process.env["CHROMIUM_PATH"] ?? DEFAULT_PATH;

/**
 * Whether to skip tests that need a browser: without Chromium, except in CI, where they fail instead. Prints
 * a warning.
 */
export function isWithoutChromium(): boolean {
  if (process.env["CI"] === "true" || existsSync(CHROMIUM_PATH)) return false;
  process.emitWarning(
    "Chromium is not installed: the tests that need it are SKIPPED. " +
      "On Debian: apt-get install chromium. Elsewhere, set CHROMIUM_PATH.",
  );
  return true;
}

/** Starts Chromium without a window. */
export function launchChromium(): Promise<Browser> {
  // The sandbox needs privileges that containers lack; Chromium opens only pages of this repository.
  return chromium.launch({ executablePath: CHROMIUM_PATH, args: ["--no-sandbox"] });
}
