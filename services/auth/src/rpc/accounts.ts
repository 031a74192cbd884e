import type { AuthService, GetAccountRequest } from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type { Handlers } from "@nutrition/rpc/service-definition";

import type { Account } from "../domain/account.ts";
import { accountNotFound } from "../domain/account.ts";
import { createAccount } from "../operations/create-account.ts";
import { eraseAccount } from "../operations/erasures.ts";
import { updateAccount } from "../operations/update-account.ts";
import * as store from "../store/account-store.ts";
import type { Dependencies } from "./dependencies.ts";
import { accountMessage } from "./messages.ts";
import { pageOf } from "./page.ts";
import { parseId } from "./target-account.ts";

/** Handles account management by operators. */
export function accountHandlers(dependencies: Dependencies) {
  const { database, publishRevocation } = dependencies;
  const find = ({ selector }: GetAccountRequest): Promise<Account | undefined> => {
    if (selector.case === "email") return store.findAccountByEmail(database, selector.value);
    return store.findAccountById(database, parseId(selector.value ?? "", "account_id"));
  };
  return {
    async createAccount(request) {
      return { account: accountMessage(await createAccount(database, request)) };
    },
    async getAccount(request) {
      const account = await find(request);
      if (!account) throw accountNotFound();
      return { account: accountMessage(account) };
    },
    async listAccounts(request) {
      const { items, nextPageToken } = await pageOf(
        request,
        (page) => store.listAccounts(database, page),
        ({ id }) => id,
      );
      return { accounts: items.map(accountMessage), nextPageToken };
    },
    async updateAccount({ accountId, ...changes }) {
      const id = parseId(accountId, "account_id");
      return { account: accountMessage(await updateAccount(dependencies, id, changes)) };
    },
    async eraseAccount({ accountId }) {
      const id = parseId(accountId, "account_id");
      const { existed, subject } = await eraseAccount(database, id);
      publishRevocation({ accountId: id });
      return { existed, subject: subject ?? "" };
    },
  } satisfies Handlers<typeof AuthService>;
}
