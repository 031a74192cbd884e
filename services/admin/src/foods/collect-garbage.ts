import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// On a machine with much memory, V8 lets a long import grow to several times what it needs. Both
// settings change only when memory is freed, never what the program does.

/** Keeps the space for new objects at its current small size. */
export function limitMemory(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** Runs a garbage collection now. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") collect();
}
