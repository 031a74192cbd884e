/** The development identity provider, for tests that need a real sign-in. */
export type { SecuritySettings } from "@nutrition/identity/domain/security-settings";
export type { RunningIdentity } from "@nutrition/identity/service";
export { startIdentity } from "@nutrition/identity/service";
