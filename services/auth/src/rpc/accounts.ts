import { Failure } from "@nutrition/core/failure";
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
import { parseId } from "./target-account.ts";

const PAGE_SIZE_DEFAULT = 100;
const PAGE_SIZE_MAX = 500;

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
    async listAccounts({ pageSize, pageToken }) {
      const limit = parsePageSize(pageSize);
      const afterId = pageToken === "" ? null : parseId(pageToken, "page_token");
      const found = await store.listAccounts(database, { afterId, limit: limit + 1 });
      const accounts = found.slice(0, limit);
      const nextPageToken = found.length > limit ? (accounts.at(-1)?.id ?? "") : "";
      return { accounts: accounts.map(accountMessage), nextPageToken };
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

function parsePageSize(pageSize: number): number {
  if (pageSize === 0) return PAGE_SIZE_DEFAULT;
  if (pageSize >= 1 && pageSize <= PAGE_SIZE_MAX) return pageSize;
  throw new Failure(
    "invalid_argument",
    "INVALID_PAGE_SIZE",
    `page_size must be 1 to ${PAGE_SIZE_MAX}.`,
  );
}
