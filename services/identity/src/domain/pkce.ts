import { createHash } from "node:crypto";

/** A client's code challenge (RFC 7636). */
export interface CodeChallenge {
  readonly challenge: string;
  readonly method: "s256" | "plain";
}

/** Parses a challenge, or says what is wrong with it. */
export function parseCodeChallenge(challenge: string, method: string): CodeChallenge | string {
  if (challenge === "" || method === "") {
    return "PKCE flow requires both code_challenge and code_challenge_method";
  }
  const lowercase = method.toLowerCase();
  if (lowercase !== "s256" && lowercase !== "plain") {
    return "code_challenge_method must be 'S256' or 'plain'";
  }
  if (challenge.length < 43 || challenge.length > 128) {
    return "code_challenge must be between 43 and 128 characters";
  }
  return { challenge, method: lowercase };
}

/** Whether the verifier matches the challenge. */
export function isVerifiedBy({ challenge, method }: CodeChallenge, verifier: string): boolean {
  if (method === "plain") return verifier === challenge;
  return createHash("sha256").update(verifier).digest("base64url") === challenge;
}
