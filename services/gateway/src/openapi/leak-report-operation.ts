import { LEAK_REPORTS_MAX } from "../routes/leak-report.ts";
import { OTHER_RESPONSE, errorReferences } from "./responses.ts";
import { TAGS } from "./tags.ts";

/** The only operation that has an effect without a credential. It can only revoke access. */
export function describeLeakReport() {
  const schema = {
    type: "object",
    required: ["key"],
    properties: {
      key: { type: "string", description: "The whole key." },
      found_at: { type: "string", description: "Where the key was found." },
    },
  };
  const revoked = { type: "boolean", description: "Whether this revoked a live key." };
  const result = { type: "object", required: ["revoked"], properties: { revoked } };
  return {
    operationId: "reportLeakedKey",
    tags: [TAGS.keys],
    summary: "Revoke an API key that was found in public",
    description: `Accepts at most ${LEAK_REPORTS_MAX} reports a minute from one address. A revoked key is refused everywhere within 5 seconds. The response is the same for every key that was not live.`,
    security: [],
    requestBody: {
      required: true,
      content: { "application/json": { schema }, "application/x-www-form-urlencoded": { schema } },
    },
    responses: {
      200: {
        description: "The report.",
        headers: { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } },
        content: { "application/json": { schema: result, example: { revoked: true } } },
      },
      ...errorReferences([400, 405, 413, 429, 500, 503]),
      ...OTHER_RESPONSE,
    },
  };
}
