import { Failure } from "@nutrition/core/failure";
import type { WebService } from "@nutrition/proto/nutrition/web/v1/web_pb";
import type { Client } from "@nutrition/rpc/service-definition";

import { CALL } from "./call-options.ts";

/** A link for one person's first sign-in, or why there is none. */
export interface Invitation {
  invitation_link: string | null;
  invitation_problem: string | null;
  /** Whether a mail with the link is on its way. */
  invitation_mailed: boolean;
}

/** Makes an invitation. Never rejects for lack of one: the account exists, and other ways lead to it. */
export async function invitePerson(
  web: Client<typeof WebService>,
  email: string,
): Promise<Invitation> {
  try {
    const { link, mailed } = await web.invite({ email }, CALL);
    return { invitation_link: link, invitation_problem: null, invitation_mailed: mailed };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return noInvitation(error.message);
  }
}

/** No invitation, for a reason that an operator reads. */
export function noInvitation(problem: string): Invitation {
  return { invitation_link: null, invitation_problem: problem, invitation_mailed: false };
}

/** Instructions for the operator. */
export function describeInvitation(invitation: Invitation): string {
  const { invitation_link: link, invitation_problem, invitation_mailed: isMailed } = invitation;
  if (link === null) return `No invitation link: ${invitation_problem}`;
  const what =
    "lets whoever opens it choose the password, once, and is valid for as long as the identity provider is set to: an hour or a day by default";
  return isMailed
    ? `A mail with the invitation is on its way. If it does not arrive, give this link to the person alone; it ${what}:\n${link}`
    : `No mail is sent. Give this link to the person alone; it ${what}:\n${link}`;
}
