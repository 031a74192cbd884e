import { AuthService } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { createClient } from "@nutrition/rpc/client";
import { IdentityIssuer } from "@nutrition/rpc/identity";
import type { Client } from "@nutrition/rpc/service-definition";
import { UnaryTransport } from "@nutrition/rpc/unary-transport";

import type { Secrets } from "./secrets.ts";
import { addressOf } from "./services.ts";
import type { Wiring } from "./wiring.ts";
import { OPERATOR } from "./topology.ts";

/** Clients of the services for an operator. */
export interface Operator extends Disposable {
  auth: Client<typeof AuthService>;
  journal: Client<typeof JournalService>;
}

/** Calls the services with the operator's key. */
export function connectOperator({ ports, secrets }: Wiring): Operator {
  const issuer = new IdentityIssuer({ service: OPERATOR, privateKey: operatorKey(secrets) });
  const toAuth = new UnaryTransport({ address: addressOf(ports.auth), issuer });
  const toJournal = new UnaryTransport({ address: addressOf(ports.journal), issuer });
  return {
    auth: createClient(AuthService, toAuth),
    journal: createClient(JournalService, toJournal),
    [Symbol.dispose]() {
      toAuth.close();
      toJournal.close();
    },
  };
}

/** The operator's private key. */
export function operatorKey({ identityKeys }: Pick<Secrets, "identityKeys">) {
  const privateKey = identityKeys[OPERATOR];
  if (!privateKey) throw new Error("The operator has no identity key.");
  return privateKey;
}
