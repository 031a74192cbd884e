import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetProfileRequest,
  GetProfileResponseSchema,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { CallContext } from "@nutrition/rpc/context";

import { accountNotFound } from "../domain/account.ts";
import { findProfileJson } from "../store/account-store.ts";
import type { Dependencies } from "./dependencies.ts";
import { targetAccountId } from "./target-account.ts";

/** Returns the user's Profile as JSON that the database builds. */
export function getProfile({ database }: Dependencies) {
  return async (
    _request: GetProfileRequest,
    context: CallContext,
  ): Promise<MessageInitShape<typeof GetProfileResponseSchema>> => {
    const json = await findProfileJson(database, targetAccountId("", context));
    if (json === undefined) throw accountNotFound();
    return { json: Buffer.from(json) };
  };
}
