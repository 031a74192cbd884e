import type { MessageInitShape } from "@bufbuild/protobuf";
import { Failure } from "@nutrition/core/failure";
import { readSignInMethods } from "@nutrition/oauth/supabase/sign-in-methods";
import type {
  IdentityClaims,
  SignInRequest,
  SignInResponseSchema,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";

import { accountNotFound } from "../domain/account.ts";
import type { PersonClaims } from "../domain/identity-claims.ts";
import { parsePersonClaims } from "../domain/identity-claims.ts";
import { assertPasswordKnown } from "../operations/assert-password-known.ts";
import { beginSession } from "../operations/begin-session.ts";
import { recordSignInMethods } from "../operations/record-sign-in-methods.ts";
import * as operations from "../operations/sign-in.ts";
import { findAccountById } from "../store/account-store.ts";
import type { Dependencies } from "./dependencies.ts";
import { accountMessage } from "./messages.ts";

/** Finds or creates the account of a person who signed in on our own pages, and begins a session. */
export function signIn({ database }: Dependencies) {
  return async (request: SignInRequest): Promise<MessageInitShape<typeof SignInResponseSchema>> => {
    const claims = parseClaims(request.claims);
    if (request.passwordUnproven) await assertPasswordKnown(database, claims);
    const accountId = await operations.signIn(database, claims);
    const account = await findAccountById(database, accountId);
    if (!account) throw accountNotFound();
    await recordSignInMethods(database, accountId, {
      methods: readSignInMethods(request.authenticationMethods),
      hasSetPassword: request.passwordSet,
    });
    const sessionId = await beginSession(database, accountId, request.replacedSessionId);
    return { account: accountMessage(account), sessionId };
  };
}

/** Reads the person from the claims of a validated token. */
export function parseClaims(claims: IdentityClaims | undefined): PersonClaims {
  if (claims) return parsePersonClaims(claims);
  throw new Failure("invalid_argument", "INVALID_CLAIMS", "claims is required.");
}
