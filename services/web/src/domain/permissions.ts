/** What a person can allow an assistant: `read`, or `write`, which includes reading. */
export const PERMISSIONS = ["read", "write"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Undefined for a choice that there is not. */
export function parsePermission(text: string): Permission | undefined {
  return PERMISSIONS.find((permission) => permission === text);
}

/** The scopes that stand for it. */
export function scopesOf(permission: Permission): string[] {
  return permission === "write" ? ["service.read", "nutrition.write"] : ["service.read"];
}

/** The permission that scopes stand for. */
export function permissionOf(scopes: readonly string[]): Permission {
  return scopes.includes("nutrition.write") ? "write" : "read";
}
