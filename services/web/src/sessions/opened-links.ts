import { z } from "zod";

import type { SignedIn } from "../identity-provider/identity-provider.ts";
import { isEqual } from "./is-equal.ts";
import type { SealedCookies } from "./sealed-cookies.ts";

const PURPOSE = "opened-link";
const SECONDS = 900;

/** A person who has opened a link in a mail, and is signed in once they have set a password. */
export interface OpenedLink {
  readonly signedIn: SignedIn;
  /** Whether the link was for a new password of an existing account. */
  readonly isRecovery: boolean;
  readonly returnTo: string;
}

const shape = z.object({
  csrfToken: z.string(),
  isRecovery: z.boolean(),
  returnTo: z.string(),
  signedIn: z.object({
    kind: z.literal("signed_in"),
    session: z.object({
      subject: z.string(),
      accessToken: z.string(),
      refreshToken: z.string(),
      accessExpiresAt: z.number(),
    }),
    identity: z.object({
      issuer: z.string(),
      subject: z.string(),
      email: z.string(),
      isEmailConfirmed: z.boolean(),
      name: z.string(),
      avatarUrl: z.string(),
      authenticationMethods: z.array(z.string()),
      isPasswordUnproven: z.boolean(),
    }),
  }),
});

/**
 * Carries an opened link through the form for the new password, encrypted in a field of the form. Until the
 * password is set there is neither an account nor a session, and closing the page leaves nothing behind. The
 * field works for 15 minutes, in the browser that got it.
 */
export class OpenedLinks {
  readonly #cookies: SealedCookies;

  constructor(cookies: SealedCookies) {
    this.#cookies = cookies;
  }

  /** Encrypts the link for a form with this browser's token. */
  seal(link: OpenedLink, csrfToken: string): Promise<string> {
    return this.#cookies.seal({ ...link, csrfToken }, PURPOSE, SECONDS);
  }

  /** Undefined when the field is too old, not ours, or of another browser. */
  async open(sealed: string, csrfToken: string): Promise<OpenedLink | undefined> {
    const { data } = shape.safeParse(await this.#cookies.open(sealed, PURPOSE));
    return data && isEqual(data.csrfToken, csrfToken) ? data : undefined;
  }
}
