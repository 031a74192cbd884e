import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import { parseLeasesMax } from "../domain/upstream-deletion.ts";
import { eraseTakenAccount, keepAccount, requestErasure } from "../operations/erasures.ts";
import * as store from "../store/erasure-store.ts";
import type { Dependencies } from "./dependencies.ts";
import { sessionOf } from "./session-of.ts";
import { parseId } from "./target-account.ts";

/** Lets people have their account erased, and the pages do it when the time has come. */
export function erasureHandlers({ database, publishRevocation }: Dependencies) {
  return {
    async requestErasure(request, context) {
      const eraseAt = await requestErasure(database, sessionOf(context), request);
      return { eraseAt: timestampFromDate(eraseAt) };
    },
    async getErasure(_request, context) {
      const eraseAt = await store.findErasure(database, sessionOf(context).accountId);
      return eraseAt ? { eraseAt: timestampFromDate(eraseAt) } : {};
    },
    async cancelErasure(request, context) {
      await keepAccount(database, sessionOf(context).accountId, request);
      return {};
    },
    async takeErasures(request) {
      const only = request.accountId === "" ? null : parseId(request.accountId, "account_id");
      const erasures = await store.takeErasures(database, parseLeasesMax(request.max), only);
      return {
        erasures: erasures.map(({ accountId, subject }) => ({ accountId, subject: subject ?? "" })),
      };
    },
    async eraseTakenAccount(request) {
      const accountId = parseId(request.accountId, "account_id");
      await eraseTakenAccount(database, accountId, request);
      publishRevocation({ accountId });
      return {};
    },
    async finishErasure(request) {
      await store.deleteFinishedErasure(database, parseId(request.accountId, "account_id"));
      return {};
    },
  } satisfies Handlers<typeof AuthService>;
}
