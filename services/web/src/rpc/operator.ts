import { Failure } from "@nutrition/core/failure";
import { isUuid } from "@nutrition/core/ids";
import { PersonOutcome, WebService } from "@nutrition/proto/nutrition/web/v1/web_pb";
import { OPERATOR } from "@nutrition/rpc/access";
import type { ServiceBinding } from "@nutrition/rpc/server";
import { bind } from "@nutrition/rpc/server";

import type { Backends } from "../clients/backends.ts";
import type { Erasures } from "../erasures/erasures.ts";
import type { IdentityProvider } from "../identity-provider/identity-provider.ts";
import type { SealedLinks } from "../mails/sealed-links.ts";

const EMAIL_MAX = 254;
const CALL = { timeoutMs: 5_000 };
const OPERATORS = { callers: [OPERATOR], user: "none" } as const;
const ACCESS = { invite: OPERATORS, finishErasure: OPERATORS };

export interface OperatorDependencies {
  backends: Pick<Backends, "auth">;
  provider: Pick<IdentityProvider, "invite">;
  erasures: Pick<Erasures, "finish">;
  links: SealedLinks;
  baseUrl: string;
  sendsMail: boolean;
}

/** Handles what the operator asks of the pages. */
export function operatorBinding(dependencies: OperatorDependencies): ServiceBinding {
  const { erasures, sendsMail } = dependencies;
  return bind(
    WebService,
    {
      async invite({ email }) {
        const link = await invitationLink(dependencies, email);
        return { link, mailed: sendsMail && (await queueMail(dependencies, email, link)) };
      },
      async finishErasure({ accountId }) {
        if (!isUuid(accountId)) throw invalidAccount();
        return { outcome: OUTCOMES[(await erasures.finish(accountId)) ?? "elsewhere"] };
      },
    },
    ACCESS,
  );
}

const OUTCOMES = {
  deleted: PersonOutcome.DELETED,
  not_allowed: PersonOutcome.KEPT,
  elsewhere: PersonOutcome.ELSEWHERE,
} as const;

async function invitationLink(
  { provider, baseUrl }: OperatorDependencies,
  email: string,
): Promise<string> {
  if (email === "" || email.length > EMAIL_MAX) throw invalidEmail();
  const callback = `${baseUrl}/oauth/callback`;
  const invitation = await provider.invite(email, callback);
  if (invitation.kind === "already_registered") throw alreadyRegistered();
  if (invitation.kind === "not_allowed") throw invitationsOff();
  const query = new URLSearchParams({ type: "invite", token_hash: invitation.tokenHash });
  return `${callback}?${query.toString()}`;
}

/** Queues the mail with the link. Never rejects: the operator can hand the link over. */
async function queueMail(
  { backends, links }: OperatorDependencies,
  email: string,
  link: string,
): Promise<boolean> {
  try {
    const sealedLink = await links.seal(link);
    return (await backends.auth.queueInvitation({ email, sealedLink }, CALL)).queued;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return false;
  }
}

function invalidEmail(): Failure {
  return new Failure("invalid_argument", "INVALID_EMAIL", "Give an e-mail address.");
}

function invalidAccount(): Failure {
  return new Failure("invalid_argument", "INVALID_ID", "account_id must be a UUID.");
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
