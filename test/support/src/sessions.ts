/** Begins a session in the auth service's database as a sign-in does, without a sign-in. */
export { insertSession } from "@nutrition/auth/store/session-store";
