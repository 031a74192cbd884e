import { toBinary } from "@bufbuild/protobuf";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { toFailure } from "@nutrition/core/failure";
import { newId } from "@nutrition/core/ids";
import type { UserIdentity } from "@nutrition/core/user-identity";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { CallOptions, Client } from "@nutrition/rpc/service-definition";
import { afterAll, beforeAll, expect, test } from "vitest";

import { as, createHarness, logFood, newUser, resultOf, signedIn } from "./harness.ts";
import type { Harness } from "./harness.ts";

const DATE = "2026-11-20";
const KEY = "the owner's key";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

/** Ids of a person's own data, or unused ids. */
interface Ids {
  account: string;
  item: string;
  deletedItem: string;
  weight: string;
  mutation: string;
  idempotencyKey: string;
}

const noIds = (): Ids => ({
  account: newId(),
  item: newId(),
  deletedItem: newId(),
  weight: newId(),
  mutation: newId(),
  idempotencyKey: newId(),
});

/** A person with something of every kind that has an id. */
async function createOwner(): Promise<{ user: UserIdentity; ids: Ids }> {
  const user = newUser();
  const gateway = harness.journal.client("gateway");
  const request = { foodText: "egg\nham", date: DATE, idempotencyKey: KEY };
  const { items } = resultOf(await logFood(harness.journal, user, request));
  await gateway.deleteFoodItem({ item: { itemId: items[1].id } }, as(user));
  const weight = newId();
  await putWeight(harness.journal.client("web"), weight, signedIn(user));
  const { mutations } = await harness.journal.client("web").listMutations({}, signedIn(user));
  const ids = {
    account: user.accountId,
    item: items[0].id,
    deletedItem: items[1].id,
    weight,
    mutation: mutations[0]!.id,
    idempotencyKey: KEY,
  };
  return { user, ids };
}

function putWeight(client: Client<typeof JournalService>, weightId: string, options: CallOptions) {
  const recordedAt = timestampFromDate(new Date("2026-11-01T00:00:00Z"));
  return client.putWeight({ weightId, weightKg: 70, recordedAt }, options);
}

type Method = keyof typeof JournalService.method;

/** Passes another person's ids, or unused ids, to every input that accepts an id. */
type Call = (
  client: Client<typeof JournalService>,
  ids: Ids,
  options: { tool: CallOptions; page: CallOptions; own: { item: string } },
) => Promise<unknown>;

const replacementText = "toast";
const mergedText = "toast";

const CALLS: [method: Method, input: string, call: Call][] = [
  [
    "editFoodItem",
    "item_id",
    (client, { item: itemId }, { tool }) =>
      client.editFoodItem({ item: { itemId }, replacementText }, tool),
  ],
  [
    "editFoodItem",
    "item_id of a deleted item",
    (client, { deletedItem: itemId }, { tool }) =>
      client.editFoodItem({ item: { itemId }, replacementText }, tool),
  ],
  [
    "deleteFoodItem",
    "item_id",
    (client, { item: itemId }, { tool }) => client.deleteFoodItem({ item: { itemId } }, tool),
  ],
  [
    "deleteFoodItem",
    "item_id of a deleted item",
    (client, { deletedItem: itemId }, { tool }) =>
      client.deleteFoodItem({ item: { itemId } }, tool),
  ],
  [
    "mergeFoodItems",
    "item_ids, all of them",
    (client, { item, deletedItem }, { tool }) =>
      client.mergeFoodItems({ itemIds: [item, deletedItem], mergedText }, tool),
  ],
  [
    "mergeFoodItems",
    "item_ids, one of them",
    (client, { item }, { tool, own }) =>
      client.mergeFoodItems({ itemIds: [own.item, item], mergedText }, tool),
  ],
  [
    "deleteFoodItem",
    "idempotency_key",
    (client, { idempotencyKey }, { tool }) =>
      client.deleteFoodItem({ item: { date: DATE, query: "ham" }, idempotencyKey }, tool),
  ],
  [
    "logFood",
    "account_id",
    (client, { account: accountId }, { tool }) =>
      client.logFood({ accountId, origin: 1, foodText: "egg" }, tool),
  ],
  [
    "getSettings",
    "account_id",
    (client, { account: accountId }, { tool }) => client.getSettings({ accountId }, tool),
  ],
  [
    "updateSettings",
    "account_id",
    (client, { account: accountId }, { page }) =>
      client.updateSettings({ accountId, updateMask: { paths: ["goals"] } }, page),
  ],
  ["putWeight", "weight_id", (client, { weight }, { page }) => putWeight(client, weight, page)],
  [
    "putWeight",
    "account_id",
    (client, { account: accountId, weight: weightId }, { page }) => {
      const recordedAt = timestampFromDate(new Date("2026-11-01T00:00:00Z"));
      return client.putWeight({ accountId, weightId, weightKg: 1, recordedAt }, page);
    },
  ],
  [
    "deleteWeight",
    "weight_id",
    (client, { weight: weightId }, { page }) => client.deleteWeight({ weightId }, page),
  ],
  [
    "deleteWeight",
    "account_id",
    (client, { account: accountId, weight: weightId }, { page }) =>
      client.deleteWeight({ accountId, weightId }, page),
  ],
  [
    "listMutations",
    "account_id",
    (client, { account: accountId }, { page }) => client.listMutations({ accountId }, page),
  ],
  [
    "listMutations",
    "page_token",
    (client, { mutation: pageToken }, { page }) => client.listMutations({ pageToken }, page),
  ],
  [
    "exportJournal",
    "account_id",
    (client, { account: accountId }, { page }) => client.exportJournal({ accountId }, page),
  ],
  [
    "exportJournal",
    "page_token",
    (client, { mutation }, { page }) =>
      client.exportJournal({ pageToken: `mutation ${mutation}` }, page),
  ],
];

/** The response to a call, byte for byte, or everything that the caller sees of its failure. */
async function answerTo(method: Method, call: () => Promise<unknown>): Promise<unknown> {
  try {
    const output: DescMessage = JournalService.method[method].output;
    return Buffer.from(toBinary(output, (await call()) as MessageShape<DescMessage>)).toString();
  } catch (error) {
    const { kind, reason, message, metadata } = toFailure(error);
    expect(reason).not.toBe("INTERNAL");
    return { kind, reason, message, metadata };
  }
}

test.each(CALLS)(
  "%s: another person's id in %s is treated as a missing one",
  async (method, _, call) => {
    const service = method.endsWith("FoodItem") || method.endsWith("FoodItems") ? "gateway" : "web";
    const client = harness.journal.client(method === "logFood" ? "gateway" : service);
    const createStranger = async () => {
      const user = newUser();
      const { items } = resultOf(
        await logFood(harness.journal, user, { foodText: "my bread", date: DATE }),
      );
      return { tool: as(user), page: signedIn(user), own: { item: items[0].id as string } };
    };
    // Created before the owner, so that the owner's ids and the unused ids both sort later.
    const asking = await createStranger();
    const { user: owner, ids } = await createOwner();
    const before = await snapshotOf(owner);
    const foreign = await answerTo(method, () => call(client, ids, asking));
    const none = await answerTo(method, () => call(client, noIds(), asking));
    expect(foreign).toEqual(none);
    expect(await snapshotOf(owner)).toEqual(before);
  },
);

/** All rows of a person. */
async function snapshotOf(user: UserIdentity): Promise<string> {
  let text = "";
  let pageToken = "";
  do {
    const web = harness.journal.client("web");
    const page = await web.exportJournal({ pageToken }, signedIn(user));
    text += Buffer.from(page.jsonLines).toString();
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return text;
}

test("the table has every method that a user may call and that accepts an id", () => {
  const named = new Set(CALLS.map(([method]) => method));
  const takesNoId = [
    "getSummary",
    "listEntries",
    "listWeights",
    "findWeights",
    "listDailyTotals",
    "listOccasions",
  ];
  const notForUsers = ["resolveReservation", "importItems", "eraseAccount"];
  expect([...named, ...takesNoId, ...notForUsers].toSorted()).toEqual(
    Object.keys(JournalService.method).toSorted(),
  );
});
