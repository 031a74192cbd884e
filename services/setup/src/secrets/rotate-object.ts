import { z } from "zod";

import type { RotationStep } from "./rotate-secret.ts";
import { rotate } from "./rotate-secret.ts";

/** A Secret as `kubectl get secret NAME -o json` prints it. */
const secretObject = z.looseObject({
  kind: z.literal("Secret"),
  data: z.record(z.string(), z.base64()),
});

/**
 * Applies a step of `rotate` to a Secret in JSON, as kubectl prints and accepts it. Everything else
 * stays unchanged, including its version, so that a concurrent change is detected. Throws a
 * readable message on failure.
 */
export function rotateObject(text: string, entry: string, step: RotationStep): string {
  const secret = secretObject.safeParse(parseJson(text)).data;
  if (!secret) {
    throw new Error("Pipe in the Secret on standard input: kubectl get secret NAME -o json.");
  }
  const changed = rotate(mapValues(secret.data, fromBase64), entry, step);
  return `${JSON.stringify({ ...secret, data: mapValues(changed, toBase64) })}\n`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const toBase64 = (text: string) => Buffer.from(text).toString("base64");
const fromBase64 = (text: string) => Buffer.from(text, "base64").toString();

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
