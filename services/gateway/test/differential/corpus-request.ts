/** One HTTP request; `body` is sent as it is. */
export interface CorpusRequest {
  readonly name: string;
  readonly httpMethod: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export type Headers = Readonly<Record<string, string | undefined>>;

const JSON_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
/** A POST; omits undefined headers. */
export function send(name: string, body: unknown, headers: Headers = {}): CorpusRequest {
  const given = Object.entries({ ...JSON_HEADERS, ...headers }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    name,
    httpMethod: "POST",
    headers: Object.fromEntries(given) as Record<string, string>,
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

/** The client's own description. */
export function client() {
  return { name: "corpus", version: "1.0.0" };
}
