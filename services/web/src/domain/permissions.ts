/** Permission of an assistant: `read`, or `write`, which includes reading. */
export const PERMISSIONS = ["read", "write"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Parses a choice; undefined for an unknown one. */
export function parsePermission(text: string): Permission | undefined {
  return PERMISSIONS.find((permission) => permission === text);
}

/** The scopes of a permission. */
export function scopesOf(permission: Permission): string[] {
  return permission === "write" ? ["service.read", "nutrition.write"] : ["service.read"];
}

/** The permission that the scopes grant. */
export function permissionOf(scopes: readonly string[]): Permission {
  return scopes.includes("nutrition.write") ? "write" : "read";
}
