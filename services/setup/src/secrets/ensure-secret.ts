import { missingEntries } from "./cluster-secret.ts";
import type { KubernetesSecrets } from "./kubernetes-secrets.ts";

const TRIES_MAX = 10;

/**
 * Creates the Secret, or adds missing entries; concurrent callers agree on one result. Returns the
 * names of the written entries.
 */
export async function ensureSecret(secrets: KubernetesSecrets, name: string): Promise<string[]> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const stored = await secrets.read(name);
    const missing = missingEntries(stored?.entries ?? {});
    const written = Object.keys(missing);
    if (written.length === 0) return [];
    const isDone = stored
      ? await secrets.update(name, missing, stored.version)
      : await secrets.create(name, missing);
    if (isDone) return written;
  }
  throw new Error(`The Secret ${name} kept changing while it was completed. Run this again.`);
}
