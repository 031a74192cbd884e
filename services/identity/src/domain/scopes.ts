/** Every scope that can be asked for; permissions of a product are not among them. */
export const SCOPES = ["openid", "profile", "email", "phone", "offline_access"] as const;

const DEFAULT_SCOPE = "email";

/** The scopes of a request, each once; the default when it names none. */
export function parseScopes(text: string): string[] {
  const names = text.split(" ").filter((name) => name !== "");
  return names.length === 0 ? [DEFAULT_SCOPE] : [...new Set(names)];
}

/** The first scope that does not exist. */
export function findUnsupportedScope(scopes: readonly string[]): string | undefined {
  return scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
}

/** Whether an earlier consent covers all that is asked for now. */
export function coversScopes(granted: readonly string[], asked: readonly string[]): boolean {
  return asked.every((scope) => granted.includes(scope));
}
