/** The owner of the demo account. */
export const DEMO_PERSON = { email: "robin.keller@example.com", name: "Robin Keller" };
