/** All scopes; the product's permissions are not among them. */
export const SCOPES = ["openid", "profile", "email", "phone", "offline_access"] as const;

const DEFAULT_SCOPE = "email";

/** Parses the scopes of a request without repetitions; the default if absent. */
export function parseScopes(text: string): string[] {
  const names = text.split(" ").filter((name) => name !== "");
  return names.length === 0 ? [DEFAULT_SCOPE] : [...new Set(names)];
}

/** Returns the first unknown scope. */
export function findUnsupportedScope(scopes: readonly string[]): string | undefined {
  return scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
}

/** Whether an earlier consent covers all requested scopes. */
export function coversScopes(granted: readonly string[], asked: readonly string[]): boolean {
  return asked.every((scope) => granted.includes(scope));
}
