import type { AuthService, RevokeKeyRequest } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type { Key } from "../domain/key.ts";
import { parseExpiry, parseKeyName, parseOverlap } from "../domain/key.ts";
import { parseScopes } from "../domain/scopes.ts";
import { createKey } from "../operations/create-key.ts";
import { renameKey } from "../operations/rename-key.ts";
import { revokeKey } from "../operations/revoke-key.ts";
import { rotateKey } from "../operations/rotate-key.ts";
import type { KeySelector } from "../store/key-store.ts";
import { listKeys } from "../store/key-store.ts";
import type { Dependencies } from "./dependencies.ts";
import { keyMessage, optionalDate } from "./messages.ts";
import { actorOf } from "./session-of.ts";
import { parseId, targetAccountId } from "./target-account.ts";

/** Maximum number of listed keys; at most ten are active, the rest have ended. */
const LISTED_KEYS_MAX = 200;

/** Handles key management by people for themselves and by operators for anybody. */
export function keyHandlers(dependencies: Dependencies) {
  const { database, clock } = dependencies;
  const describe = (key: Key) => keyMessage(key, clock.now());
  return {
    async createKey(request, context) {
      const { apiKey, key } = await createKey(dependencies, {
        accountId: targetAccountId(request.accountId, context),
        name: parseKeyName(request.name),
        scopes: parseScopes(request.scopes),
        expiresAt: parseExpiry(optionalDate(request.expiresAt), clock.now()),
        creationId: request.creationId === "" ? null : parseId(request.creationId, "creation_id"),
        actor: actorOf(context),
      });
      return { apiKey, key: describe(key) };
    },
    async listKeys({ accountId, includeInactive }, context) {
      const id = targetAccountId(accountId, context);
      const keys = await listKeys(database, id, { includeInactive, limit: LISTED_KEYS_MAX });
      return { keys: keys.map(describe) };
    },
    async revokeKey(request, context) {
      const id = targetAccountId(request.accountId, context);
      return { key: describe(await revokeKey(dependencies, id, parseSelector(request))) };
    },
    async renameKey(request, context) {
      const id = targetAccountId(request.accountId, context);
      const name = parseKeyName(request.name);
      return {
        key: describe(
          await renameKey(database, id, { keyId: parseId(request.keyId, "key_id"), name }),
        ),
      };
    },
    async rotateKey(request, context) {
      const { apiKey, key, predecessor } = await rotateKey(dependencies, {
        accountId: targetAccountId(request.accountId, context),
        keyId: parseId(request.keyId, "key_id"),
        overlapSeconds: parseOverlap(request.overlapSeconds),
        actor: actorOf(context),
      });
      return { apiKey, key: describe(key), predecessor: describe(predecessor) };
    },
  } satisfies Handlers<typeof AuthService>;
}

function parseSelector({ selector }: RevokeKeyRequest): KeySelector {
  if (selector.case === "publicId") return { publicId: selector.value };
  return { id: parseId(selector.value ?? "", "key_id") };
}
