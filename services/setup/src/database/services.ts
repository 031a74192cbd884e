import { fileURLToPath } from "node:url";

/** Services with their own schema and role, both named after the service. */
export const DATABASE_SERVICES = ["auth", "limits", "analysis", "journal"] as const;
export type DatabaseService = (typeof DATABASE_SERVICES)[number];

/** The folder of a service's migrations. */
export function migrationsOf(service: DatabaseService): string {
  return fileURLToPath(new URL(`../../../${service}/migrations`, import.meta.url));
}
