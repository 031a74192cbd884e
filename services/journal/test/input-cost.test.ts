import type { DescField, DescMethod } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import {
  costlyTexts,
  isCostly,
  quarterOfTexts,
  LONG_CHARACTERS,
} from "@nutrition/test-support/input-cost";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Harness } from "./harness.ts";
import { as, createHarness, logFood, newUser, signedIn } from "./harness.ts";

const DATE = "2026-11-20";
const MEMBERS = 20_000;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

/** Other fields of a request, with which its texts are read further. */
const USUAL: Readonly<Record<string, object>> = {
  logFood: { foodText: "1 egg", date: DATE, origin: 1 },
  editFoodItem: { item: { date: DATE, query: "egg" }, replacementText: "2 eggs" },
  mergeFoodItems: { date: DATE, itemQueries: ["egg", "ham"], mergedText: "ham and eggs" },
  deleteFoodItem: { item: { date: DATE, query: "egg" } },
};

interface TextRequest {
  readonly name: string;
  readonly with: (text: string) => object;
}

const isText = ({ scalar, message }: DescField) => !message && scalar === ScalarType.STRING;

/** The texts of a request and of the messages in it, each as a request with nothing else but the usual fields. */
function requestsOf({ input, localName }: DescMethod): TextRequest[] {
  const usual = USUAL[localName] ?? {};
  return input.fields.flatMap((field) => {
    const name = field.localName;
    const isMany = field.fieldKind === "list";
    const inMessage = field.fieldKind === "message" ? field.message.fields.filter(isText) : [];
    const requests: TextRequest[] = inMessage.map((part) => ({
      name: `${name}.${part.localName}`,
      with: (text: string) => ({ ...usual, [name]: { [part.localName]: text } }),
    }));
    const isTexts = isMany && field.listKind === "scalar" && field.scalar === ScalarType.STRING;
    if (isTexts) requests.push({ name, with: (text) => ({ ...usual, [name]: [text, text] }) });
    else if (field.fieldKind === "scalar" && isText(field)) {
      requests.push({ name, with: (text) => ({ ...usual, [name]: text }) });
    }
    return requests;
  });
}

const FIELDS = JournalService.methods
  .flatMap((method) =>
    requestsOf(method).map(({ name, with: request }) => ({
      field: `${method.localName}.${name}`,
      method: method.localName,
      request,
    })),
  )
  .map((field, turn) => ({ ...field, turn }));

describe("no text costs the journal more than its length", () => {
  it.each(FIELDS)("$field", async ({ method, request, turn }) => {
    const user = newUser();
    await logFood(harness.journal, user, { foodText: "egg\nham", date: DATE });
    const callers = [
      [harness.journal.client("gateway"), as(user)],
      [harness.journal.client("web"), signedIn(user)],
    ] as const;
    const read = async (text: string) => {
      for (const [client, options] of callers) {
        const call = client[method as keyof typeof client] as (
          request: object,
          options: object,
        ) => Promise<unknown>;
        // What the journal answers is not the question here.
        await call(request(text), options).catch(() => undefined);
      }
    };
    expect(await costlyTexts(read, LONG_CHARACTERS, quarterOfTexts(turn))).toEqual([]);
  });

  it.each(["itemIds", "itemQueries"])("many members in %s", async (field) => {
    const user = newUser();
    const read = (text: string) => {
      const request = { date: DATE, mergedText: "x", [field]: Array.from(text, () => "") };
      return harness.journal
        .client("gateway")
        .mergeFoodItems(request, as(user))
        .catch(() => undefined);
    };
    expect(await isCostly("a", read, MEMBERS)).toBe(false);
  });
});
