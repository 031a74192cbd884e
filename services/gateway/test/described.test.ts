import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";

import { FULL_KEY, READ_KEY, UNKNOWN_KEY } from "./fake-backends.ts";
import type { Answer, GatewayFixture } from "./gateway-fixture.ts";
import { BASE_URL, startFixture } from "./gateway-fixture.ts";

const REQUESTS = 5_000;
const AT_A_TIME = 25;
const ATTEMPTS_MAX = 5;

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, Response>>;
}
interface Response {
  readonly $ref?: string;
  readonly content?: { readonly "application/json": { readonly schema: object } };
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

let fixture: GatewayFixture;
let source: string;
let description: Description;
beforeAll(async () => {
  fixture = await startFixture();
  source = (await fixture.get("/openapi.json", {})).text;
  description = JSON.parse(source) as Description;
});
afterAll(() => fixture[Symbol.asyncDispose]());

it("passes Redocly's recommended rules", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  // One of the rules forbids servers on localhost.
  const published = source.replaceAll(BASE_URL, "https://journal.test");
  const document = { source: published, absoluteRef: "openapi.json", config };
  const problems = await lintFromString(document);
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

interface Wish {
  path: string;
  method: string;
  query: [string, string][];
  headers: Record<string, string>;
  body: string;
}

/** Valid and invalid requests derived from the description. */
function wishes(): fc.Arbitrary<Wish> {
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [] }]) => ({
      path,
      method: method.toUpperCase(),
      names: parameters.filter((one) => one.in === "query").map(({ name }) => name),
    })),
  );
  const value = fc.oneof(
    fc.constantFrom("2026-11-21", "2026-02-30", "0000-01-01", "1", "90", "365", "0", "-1", "1e3"),
    fc.string({ maxLength: 12 }),
  );
  const credential = fc.constantFrom(FULL_KEY, FULL_KEY, READ_KEY, UNKNOWN_KEY, "", "x y");
  const type = fc.constantFrom(
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded",
  );
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom<unknown>("2.0", "1.0", 2),
      id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
      method: fc.constantFrom("tools/list", "tools/call", "ping", "initialize", "eat", ""),
      params: fc.oneof(
        fc.record({ name: fc.constantFrom("log_food", "get_profile"), arguments: fc.jsonValue() }),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    message.map((one) => JSON.stringify(one)),
    fc.array(message, { maxLength: 3 }).map((batch) => JSON.stringify(batch)),
    fc.json(),
    fc.record({ key: fc.string() }).map((one) => JSON.stringify(one)),
    fc.string(),
  );
  return fc.constantFrom(...operations).chain(({ path, method, names }) =>
    fc.record({
      path: fc.constantFrom(path, path, path, `${path}/`),
      method: fc.constantFrom(method, method, method, "GET", "POST", "PUT", "DELETE"),
      query: fc.array(fc.tuple(fc.constantFrom(...names, "other"), value), { maxLength: 3 }),
      headers: fc.record({
        authorization: credential.map((key) => `Bearer ${key}`),
        "content-type": type,
        "x-request-id": fc.constantFrom("mine-1", "not mine", ""),
      }),
      body,
    }),
  );
}

/** Asks again on 503, which a machine busy with other tests causes: an input that does always gets it. */
async function answerTo(wish: Wish): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(wish);
    if (answer.status !== 503 || attempt === ATTEMPTS_MAX) return answer;
  }
}

async function send({ path, method, query, headers, body }: Wish): Promise<Answer> {
  const search = new URLSearchParams(query).toString();
  const hasBody = method !== "GET";
  return fixture.send(`${path}?${search}`, { method, headers, ...(hasBody && { body }) });
}

/** The ways in which the answer violates the description. */
function faultOf(wish: Wish, answer: Answer): string | undefined {
  const item = description.paths[wish.path.replace(/\/$/, "")]!;
  // Every method of a path documents the response to unsupported methods.
  const described = item[wish.method.toLowerCase()] ?? Object.values(item)[0]!;
  const response = described.responses[String(answer.status)];
  const told = `${wish.method} ${wish.path} ${wish.body}: ${answer.status} ${answer.text}`;
  if (answer.status >= 500 || !response) return told;
  const { content } = response.$ref
    ? description.components.responses[response.$ref.split("/").at(-1)!]!
    : response;
  if (!content) return answer.text === "" ? undefined : told;
  return validatorOf(content["application/json"].schema)(answer.body) ? undefined : told;
}

const validators = new Map<object, (value: unknown) => boolean>();

function validatorOf(schema: object): (value: unknown) => boolean {
  const known = validators.get(schema);
  if (known) return known;
  const whole: Record<string, unknown> = { ...schema, components: description.components };
  const made = new AjvJsonSchemaValidator().getValidator(whole);
  const validate = (value: unknown) => made(value).valid;
  validators.set(schema, validate);
  return validate;
}

it("describes every answer to requests generated from it", { timeout: 240_000 }, async () => {
  const queue = fc.sample(wishes(), { numRuns: REQUESTS, seed: 19 });
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const work = async () => {
    for (let wish = queue.pop(); wish; wish = queue.pop()) {
      const answer = await answerTo(wish);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const fault = faultOf(wish, answer);
      if (fault !== undefined) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  expect(faults.slice(0, 5)).toEqual([]);
  for (const status of [200, 400, 401, 405]) expect(statuses.get(status)).toBeGreaterThan(100);
});
