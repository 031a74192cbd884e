/** Whom the demo account belongs to. */
export const DEMO_PERSON = { email: "robin.keller@example.com", name: "Robin Keller" };
