import { Failure } from "@nutrition/core/failure";
import type { WebService } from "@nutrition/proto/nutrition/web/v1/web_pb";
import type { Client } from "@nutrition/rpc/service-definition";

import { CALL } from "./call-options.ts";

/** A link for one person's first sign-in, or why there is none. */
export interface Invitation {
  invitation_link: string | null;
  invitation_problem: string | null;
}

/** Makes an invitation. Never rejects for lack of one: the account exists, and other ways lead to it. */
export async function invitePerson(
  web: Client<typeof WebService>,
  email: string,
): Promise<Invitation> {
  try {
    const { link } = await web.invite({ email }, CALL);
    return { invitation_link: link, invitation_problem: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { invitation_link: null, invitation_problem: error.message };
  }
}

/** Instructions for the operator. */
export function describeInvitation({ invitation_link: link, invitation_problem }: Invitation) {
  if (link === null) return `No invitation link: ${invitation_problem}`;
  return `Give this link to the person alone. It signs in whoever opens it, once, and is valid for about an hour:\n${link}`;
}
