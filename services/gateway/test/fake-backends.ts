import type { MessageInitShape } from "@bufbuild/protobuf";
import { generateApiKey } from "@nutrition/core/api-key";
import { uuidBytes } from "@nutrition/core/ids";
import { silentLogger } from "@nutrition/core/logger";
import type { UserIdentity } from "@nutrition/core/user-identity";
import type {
  AuthenticateResponseSchema,
  KeyUse,
  PrincipalSchema,
  ReportLeakedKeyRequest,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import {
  AuthService,
  CredentialKind,
  RefusalReason,
} from "@nutrition/proto/nutrition/auth/v1/auth_pb";
import type {
  LogFoodRequest,
  LogFoodResponseSchema,
} from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type {
  CountRequest,
  CountResponseSchema,
} from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { CallContext } from "@nutrition/rpc/context";
import type { RpcServer } from "@nutrition/rpc/server";
import { startRpcServer } from "@nutrition/rpc/server";
import type { Handlers } from "@nutrition/rpc/service-definition";
import type { TestIdentity } from "@nutrition/rpc/testing";

import { DAY_EXAMPLE } from "../src/schemas/day-example.ts";
import { EXAMPLES } from "./examples.ts";
import { bytesOf, serve } from "./fake-service.ts";

export const ACCOUNT_ID = "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6a00";
export const KEY_ID = "0199f0c2-7b1e-7cc3-9c55-0d3c1c1f6aff";

/** A key that reads and writes, of a premium account. */
export const FULL_KEY = generateApiKey().text;
export const READ_KEY = generateApiKey().text;
/** Both permissions, but a free account. */
export const FREE_KEY = generateApiKey().text;
/** No permission at all. */
export const EMPTY_KEY = generateApiKey().text;
export const UNKNOWN_KEY = generateApiKey().text;

type KeyAnswer = MessageInitShape<typeof AuthenticateResponseSchema>["outcome"];

/** Real gRPC servers that implement the contracts, with answers set by the test. */
export interface FakeBackends extends AsyncDisposable {
  readonly addresses: { auth: string; journal: string; limits: string };
  /** Answers by key; others are invalid. */
  readonly keys: Map<string, KeyAnswer>;
  /** The answer for every connector. */
  connector: KeyAnswer;
  /** Looked-up keys, in order. */
  readonly authenticated: string[];
  /** Keys that were reported as leaked. */
  readonly reported: ReportLeakedKeyRequest[];
  /** Ids of signed keys that have changed. */
  readonly changedKeys: string[];
  /** Reported uses of keys. */
  readonly keyUses: KeyUse[];
  readonly counted: CountRequest[];
  /** Refunded receipts. */
  readonly refunded: string[];
  /** Calls that the journal answered, as `method` and request. */
  readonly journalCalls: { method: string; user: UserIdentity | undefined; request: object }[];
  readonly logged: LogFoodRequest[];
  countAnswer: MessageInitShape<typeof CountResponseSchema>;
  logAnswer: MessageInitShape<typeof LogFoodResponseSchema>["outcome"];
  /** Whether tools other than log_food report a repeated call. */
  isDuplicate: boolean;
  settings: object | null;
  /** Display units in the journal's answers; each message takes those that it has. */
  units: object;
  /** Awaited before each answer about a key. */
  beforeAuthentication: (apiKey: string) => Promise<void>;
  /** Awaited before the changed keys are listed. */
  beforeChangedKeys: () => Promise<void>;
  /** Awaited before each decision about a request. */
  beforeCount: () => Promise<void>;
  /** Awaited before a refund. */
  beforeRefund: () => Promise<void>;
  /** Awaited before each answer of a read. */
  beforeRead: (context: CallContext) => Promise<void>;
  /** Awaited before each answer of a write. */
  beforeWrite: () => Promise<void>;
  stop(name: "auth" | "journal" | "limits"): Promise<void>;
}

const KEY_HOUR = {
  name: "key-hour",
  max: 120,
  windowSeconds: 3_600,
  remaining: 37,
  reset: { seconds: 411n, nanos: 300_000_000 },
};

export const LOGGED = {
  duplicate: false,
  date: "2026-11-21",
  date_interpreted_as: "today in Europe/Berlin",
  timezone: "Europe/Berlin",
  entry_id: DAY_EXAMPLE.entry.id,
  items: DAY_EXAMPLE.entry.items,
  totals: EXAMPLES.summary.totals,
  goals: EXAMPLES.summary.goals,
  remaining: EXAMPLES.summary.goals,
  limits: [
    { name: "mutations-10-minutes", max: 12, window_seconds: 600, remaining: 11 },
    { name: "lines-day", max: 100, window_seconds: 86_400, remaining: 9 },
  ],
};

export async function startFakeBackends(identity: TestIdentity): Promise<FakeBackends> {
  const servers = new Map<string, RpcServer>();
  const fakes: FakeBackends = {
    addresses: { auth: "", journal: "", limits: "" },
    keys: new Map<string, KeyAnswer>([
      [FULL_KEY, allowed({})],
      [READ_KEY, allowed({ scopes: ["service.read"] })],
      [FREE_KEY, allowed({ hasPremium: false })],
      [EMPTY_KEY, allowed({ scopes: [] })],
    ]),
    connector: { case: "refusal", value: RefusalReason.NOT_GRANTED },
    authenticated: [],
    reported: [],
    changedKeys: [],
    keyUses: [],
    counted: [],
    refunded: [],
    journalCalls: [],
    logged: [],
    countAnswer: { policies: [KEY_HOUR] },
    logAnswer: { case: "result", value: { json: bytesOf(LOGGED), duplicate: false } },
    isDuplicate: false,
    settings: EXAMPLES.profile.settings,
    units: {},
    beforeAuthentication: async () => {},
    beforeChangedKeys: async () => {},
    beforeCount: async () => {},
    beforeRefund: async () => {},
    beforeRead: async () => {},
    beforeWrite: async () => {},
    async stop(name) {
      await servers.get(name)?.[Symbol.asyncDispose]();
      servers.delete(name);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...servers.keys()].map((name) => fakes.stop(name as "auth")));
    },
  };
  for (const [name, service] of Object.entries(bindings(fakes))) {
    const server = await startRpcServer({
      host: "127.0.0.1",
      port: 0,
      identity: identity.verifier(name as "auth"),
      logger: silentLogger,
      services: [service],
    });
    servers.set(name, server);
    fakes.addresses[name as "auth"] = server.address;
  }
  return fakes;
}

/** The answer that accepts a key. */
export function allowed(changes: MessageInitShape<typeof PrincipalSchema>): KeyAnswer {
  return {
    case: "principal",
    value: {
      accountId: ACCOUNT_ID,
      credentialKind: CredentialKind.API_KEY,
      credentialId: KEY_ID,
      scopes: ["service.read", "nutrition.write"],
      hasPremium: true,
      isBetaTester: false,
      ...changes,
    } as MessageInitShape<typeof PrincipalSchema>,
  };
}

function bindings(fakes: FakeBackends) {
  return {
    auth: serve(
      AuthService,
      {
        authenticate: async ({ apiKey }) => {
          fakes.authenticated.push(apiKey);
          await fakes.beforeAuthentication(apiKey);
          const outcome = fakes.keys.get(apiKey);
          return { outcome: outcome ?? { case: "refusal", value: RefusalReason.INVALID } };
        },
        authorizeConnector: async () => ({ outcome: fakes.connector ?? { case: undefined } }),
        listChangedKeys: async () => {
          await fakes.beforeChangedKeys();
          const tails = fakes.changedKeys.map((id) => uuidBytes(id).subarray(10));
          return { keyTails: Buffer.concat(tails), cursor: "next" };
        },
        recordKeyUses: async ({ uses }) => {
          fakes.keyUses.push(...uses);
          return {};
        },
        reportLeakedKey: async (request) => {
          fakes.reported.push(request);
          return { revoked: true };
        },
        getProfile: async () => ({ json: bytesOf(EXAMPLES.profile.profile) }),
      },
      ["authenticate", "authorizeConnector", "listChangedKeys", "recordKeyUses", "reportLeakedKey"],
    ),
    limits: serve(
      LimitsService,
      {
        count: async (request) => {
          fakes.counted.push(request);
          await fakes.beforeCount();
          return { receipt: `receipt-${fakes.counted.length}`, ...fakes.countAnswer };
        },
        refund: async ({ receipts }) => {
          await fakes.beforeRefund();
          fakes.refunded.push(...receipts);
          return {};
        },
      },
      ["refund"],
    ),
    journal: serve(JournalService, journalHandlers(fakes), []),
  };
}

function journalHandlers(fakes: FakeBackends): Handlers<typeof JournalService> {
  const reading =
    (method: string, document: () => unknown) => async (request: object, context: CallContext) => {
      fakes.journalCalls.push({ method, user: context.user, request });
      await fakes.beforeRead(context);
      return { json: bytesOf(document()), ...fakes.units };
    };
  const writing =
    (method: string, members: object) =>
    async (request: object, { user }: { user: UserIdentity | undefined }) => {
      fakes.journalCalls.push({ method, user, request });
      const { items: _items, date_interpreted_as: _date, ...written } = LOGGED;
      const duplicate = fakes.isDuplicate;
      const json = bytesOf({ ...written, duplicate, ...members });
      return {
        outcome: {
          case: "result" as const,
          value: { json, duplicate, ...fakes.units },
        },
      };
    };
  return {
    getSummary: reading("getSummary", () => EXAMPLES.summary),
    listEntries: reading("listEntries", () => EXAMPLES.entries),
    listWeights: reading("listWeights", () => EXAMPLES.weights),
    getSettings: reading("getSettings", () => fakes.settings),
    logFood: async (request) => {
      fakes.logged.push(request);
      await fakes.beforeWrite();
      return { outcome: fakes.logAnswer ?? { case: undefined } };
    },
    editFoodItem: writing("editFoodItem", { item: DAY_EXAMPLE.item, previous_line: "1 egg" }),
    mergeFoodItems: writing("mergeFoodItems", {
      item: DAY_EXAMPLE.item,
      merged_lines: ["1 egg", "1 fried egg"],
    }),
    deleteFoodItem: writing("deleteFoodItem", {
      deleted_item_id: DAY_EXAMPLE.item?.id,
      deleted_line: DAY_EXAMPLE.item?.description,
    }),
  };
}

/** Refuses every request for the given time. */
export function refuse(fakes: FakeBackends, retryAfterSeconds = 411n): void {
  const reset = { seconds: retryAfterSeconds };
  const state = { name: "key-hour", max: 120, windowSeconds: 3_600, remaining: 0, reset };
  const refusal = { violated: ["key-hour"], deciding: state, used: 120, requested: 1 };
  fakes.countAnswer = {
    policies: [state],
    refusal: { ...refusal, retryAfter: reset },
    receipt: "",
  };
}
