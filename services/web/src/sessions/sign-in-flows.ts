import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

import type { Request, Response } from "express";
import { z } from "zod";

import type { ReturnTrip } from "../identity-provider/sign-in-calls.ts";
import type { SealedCookies } from "./sealed-cookies.ts";

/**
 * How a sign-in that leaves the site comes back: from a third party, from the link of a mail that
 * confirms an address, or from one that leads to a new password. Mails take longer, and must not be
 * forgotten because the person tries something else meanwhile.
 */
const FLOW_SECONDS = { third_party: 600, confirm: 3_600, recover: 3_600 } as const;
export type FlowKind = keyof typeof FLOW_SECONDS;
const KINDS = Object.keys(FLOW_SECONDS) as FlowKind[];

const flowShape = z.object({
  state: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
});

/** A sign-in that has come back to the browser in which it began. */
export interface Flow {
  readonly kind: FlowKind;
  readonly verifier: string;
  readonly returnTo: string;
}

export interface SignInFlowsOptions {
  cookies: SealedCookies;
  /** Address under which people see the pages. */
  baseUrl: string;
}

/**
 * Sign-ins under way, in sealed cookies. Only the browser that began one can end it, so that nobody
 * is signed in to a stranger's account by a link (RFC 9700 §4.7).
 */
export class SignInFlows {
  readonly #options: SignInFlowsOptions;

  constructor(options: SignInFlowsOptions) {
    this.#options = options;
  }

  /** Begins one, which leads to `returnTo` in the end. */
  async begin(response: Response, kind: FlowKind, returnTo: string): Promise<ReturnTrip> {
    const { cookies, baseUrl } = this.#options;
    const [state, verifier] = [randomToken(), randomToken()];
    const value = { state, verifier, returnTo };
    await cookies.write(response, kind, { value, ttlSeconds: FLOW_SECONDS[kind] });
    return {
      redirectTo: `${baseUrl}/oauth/callback?state=${state}`,
      codeChallenge: createHash("sha256").update(verifier).digest("base64url"),
    };
  }

  /** The one with this state, which is forgotten; undefined when this browser began none such. */
  async take(request: Request, response: Response, state: string): Promise<Flow | undefined> {
    const { cookies } = this.#options;
    for (const kind of KINDS) {
      const parsed = flowShape.safeParse(await cookies.read(request, kind));
      if (!parsed.success || !isEqual(parsed.data.state, state)) continue;
      cookies.clear(response, kind);
      const { verifier, returnTo } = parsed.data;
      return { kind, verifier, returnTo };
    }
    return undefined;
  }
}

function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
