/** Timeout of one check. All run concurrently. */
export const CHECK_MAX_MS = 2_000;

const DOCUMENT_MAX_BYTES = 262_144;

/** Response of an HTTP server. */
export interface Document {
  status: number;
  /** The body if it is JSON; otherwise undefined. */
  json: unknown;
  /**
   * The server's clock from the `Date` header, in milliseconds with a precision of one second;
   * undefined without the header.
   */
  dateMs: number | undefined;
}

/** Undefined without a response within 2 s, or when it is too long for a document. */
export async function readDocument(
  url: string,
  headers: Record<string, string> = {},
): Promise<Document | undefined> {
  try {
    const signal = AbortSignal.timeout(CHECK_MAX_MS);
    const response = await fetch(url, { headers, redirect: "manual", signal });
    const dateMs = Date.parse(response.headers.get("date") ?? "");
    return {
      status: response.status,
      json: parseJson(await readText(response)),
      dateMs: Number.isNaN(dateMs) ? undefined : dateMs,
    };
  } catch {
    return undefined;
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > DOCUMENT_MAX_BYTES) throw new Error("The document is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
