import { createHash, randomBytes } from "node:crypto";

import type { Request, Response } from "express";
import { z } from "zod";

import type { ReturnTrip } from "../identity-provider/identity-provider.ts";
import { isEqual } from "./is-equal.ts";
import type { SealedCookies } from "./sealed-cookies.ts";

/**
 * How a sign-in returns to the site: from a third party, or through a mail's link to confirm an address or to
 * set a new password. Mails take longer, and starting another sign-in must not discard them.
 */
const FLOW_SECONDS = { third_party: 600, confirm: 3_600, recover: 3_600 } as const;
export type FlowKind = keyof typeof FLOW_SECONDS;
const KINDS = Object.keys(FLOW_SECONDS) as FlowKind[];

const flowShape = z.object({
  state: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
});

/** A sign-in that returned to the browser it began in. */
export interface Flow {
  readonly kind: FlowKind;
  readonly verifier: string;
  readonly returnTo: string;
}

export interface SignInFlowsOptions {
  cookies: SealedCookies;
  /** Public URL of the pages. */
  baseUrl: string;
}

/**
 * Sign-ins in progress, in encrypted cookies. Only the browser that began a sign-in can complete
 * it, so that a link cannot sign anybody in to a stranger's account (RFC 9700 §4.7).
 */
export class SignInFlows {
  readonly #options: SignInFlowsOptions;

  constructor(options: SignInFlowsOptions) {
    this.#options = options;
  }

  /** Begins a sign-in that ends at `returnTo`. */
  async begin(response: Response, kind: FlowKind, returnTo: string): Promise<ReturnTrip> {
    const { cookies, baseUrl } = this.#options;
    const [state, verifier] = [`${kind}.${randomToken()}`, randomToken()];
    const value = { state, verifier, returnTo };
    await cookies.write(response, kind, { value, ttlSeconds: FLOW_SECONDS[kind] });
    return {
      redirectTo: `${baseUrl}/oauth/callback?state=${state}`,
      codeChallenge: createHash("sha256").update(verifier).digest("base64url"),
    };
  }

  /** Returns and deletes the sign-in with this state; undefined if this browser did not begin it. */
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

/** The kind of flow in the state, unverified: anybody can forge a state. */
export function kindOfState(state: string): FlowKind | undefined {
  return KINDS.find((kind) => state.startsWith(`${kind}.`));
}

function randomToken(): string {
  return randomBytes(32).toString("base64url");
}
