import { Failure } from "@nutrition/core/failure";
import { WebService } from "@nutrition/proto/nutrition/web/v1/web_pb";
import { OPERATOR } from "@nutrition/rpc/access";
import type { ServiceBinding } from "@nutrition/rpc/server";
import { bind } from "@nutrition/rpc/server";

import type { IdentityProvider } from "../identity-provider/identity-provider.ts";

const EMAIL_MAX = 254;
const ACCESS = { invite: { callers: [OPERATOR], user: "none" } } as const;

/** Handles the operator's invitations. */
export function invitationBinding(
  provider: Pick<IdentityProvider, "invite">,
  baseUrl: string,
): ServiceBinding {
  const callback = `${baseUrl}/oauth/callback`;
  return bind(
    WebService,
    {
      async invite({ email }) {
        if (email === "" || email.length > EMAIL_MAX) throw invalidEmail();
        const invitation = await provider.invite(email, callback);
        if (invitation.kind === "already_registered") throw alreadyRegistered();
        if (invitation.kind === "not_allowed") throw invitationsOff();
        const query = new URLSearchParams({ type: "invite", token_hash: invitation.tokenHash });
        return { link: `${callback}?${query.toString()}` };
      },
    },
    ACCESS,
  );
}

function invalidEmail(): Failure {
  return new Failure("invalid_argument", "INVALID_EMAIL", "Give an e-mail address.");
}

function alreadyRegistered(): Failure {
  const message =
    "This address can sign in already, on the pages with its password or a third party.";
  return new Failure("already_exists", "ALREADY_REGISTERED", message);
}

function invitationsOff(): Failure {
  const message =
    "The pages may not invite: AUTH_API_KEY is not a secret key of the identity provider. The person can create a sign-in with this address on the pages.";
  return new Failure("failed_precondition", "INVITATIONS_OFF", message);
}
