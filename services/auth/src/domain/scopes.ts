import { Failure } from "@nutrition/core/failure";

/** A permission of a key or connector. */
export type Scope = "service.read" | "nutrition.write";

/**
 * Validates the scopes of a key or grant: read, or read and log. Any other list is
 * `invalid_argument`.
 */
export function parseScopes(scopes: readonly string[]): Scope[] {
  const requested = new Set(scopes);
  if (requested.size === scopes.length && requested.has("service.read")) {
    if (requested.size === 1) return ["service.read"];
    if (requested.size === 2 && requested.has("nutrition.write"))
      return ["service.read", "nutrition.write"];
  }
  throw new Failure(
    "invalid_argument",
    "INVALID_SCOPES",
    'Scopes must be "service.read" (reading), or "service.read" and "nutrition.write" (reading and logging).',
  );
}
