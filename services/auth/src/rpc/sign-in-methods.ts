import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Failure } from "@nutrition/core/failure";
import type { SignInMethod as KnownMethod } from "@nutrition/core/sign-in-method";
import { readSignInMethods } from "@nutrition/oauth/supabase/sign-in-methods";
import type {
  AuthService,
  NewSignInMethodSchema,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { SignInMethod } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type * as domain from "../domain/sign-in-method.ts";
import { mayConfirmMethods } from "../domain/sign-in-method.ts";
import {
  confirmSignInMethodsExcept,
  listConfirmedSignInMethods,
  listNewSignInMethods,
} from "../store/sign-in-method-store.ts";
import type { Dependencies } from "./dependencies.ts";
import { targetAccountId } from "./target-account.ts";

/** Handles listing and confirming new sign-in methods. */
export function signInMethodHandlers({ database }: Dependencies) {
  return {
    async listNewSignInMethods(_request, context) {
      const accountId = targetAccountId("", context);
      return { methods: (await listNewSignInMethods(database, accountId)).map(methodMessage) };
    },
    async confirmSignInMethods({ authenticationMethods }, context) {
      const accountId = targetAccountId("", context);
      const ownMethods = readSignInMethods(authenticationMethods);
      if (ownMethods.length === 0) throw unknownSignIn();
      const confirmed = await listConfirmedSignInMethods(database, accountId);
      if (mayConfirmMethods(ownMethods, confirmed))
        await confirmSignInMethodsExcept(database, accountId, ownMethods);
      return { methods: (await listNewSignInMethods(database, accountId)).map(methodMessage) };
    },
  } satisfies Handlers<typeof AuthService>;
}

function unknownSignIn(): Failure {
  const message = "authentication_methods must say how the confirming session signed in.";
  return new Failure("invalid_argument", "INVALID_AUTHENTICATION_METHODS", message);
}

const MESSAGES: Readonly<Record<KnownMethod, SignInMethod>> = {
  password: SignInMethod.PASSWORD,
  third_party: SignInMethod.THIRD_PARTY,
  message: SignInMethod.MESSAGE,
  passkey: SignInMethod.PASSKEY,
  other: SignInMethod.OTHER,
};

function methodMessage({
  method,
  firstSeenAt,
}: domain.NewSignInMethod): MessageInitShape<typeof NewSignInMethodSchema> {
  return { method: MESSAGES[method], firstSeenAt: timestampFromDate(firstSeenAt) };
}
