import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// On a machine with much memory the engine would rather let a long import grow to several times what
// it needs. Both settings are about when memory is given back, never about what a program does.

/** Keeps the room for new objects as small as it is now. */
export function keepMemorySmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** Frees what is no longer used, at once. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") collect();
}
