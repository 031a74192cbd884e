import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A stand-in for a language model that speaks the chat completions API. */
export interface StandInModel extends AsyncDisposable {
  /** For ANALYSIS_MODEL_URL. */
  readonly url: string;
  /** Whether it answers; otherwise it responds that it is unavailable. */
  isUp: boolean;
}

/** Tokens of one answer: at a dollar per million tokens, it costs a thousandth of a dollar. */
const USAGE = { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1_000 };

const FOOD = {
  name: "almonds",
  candidate: null,
  amount_stated: true,
  grams: 30,
  per_100g: {
    ...{ calories: 579, protein: 21, carbs: 22, fat: 50 },
    ...{ sugar: 4, fiber: 12, sodium: 1, alcohol: 0 },
  },
};

/** Starts one that reads every line as almonds. */
export async function startModel(): Promise<StandInModel> {
  const model = { isUp: true };
  const server = createServer(async (request, response) => {
    const lines = await countLines(request);
    const headers = { "Content-Type": "application/json", "Retry-After-Ms": "1" };
    if (!model.isUp) {
      response.writeHead(503, headers).end("{}");
      return;
    }
    const content = JSON.stringify({
      lines: Array.from({ length: lines }, () => ({ foods: [FOOD] })),
    });
    const message = { role: "assistant", content, refusal: null };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: "stop" }];
    const completion = { id: "1", object: "chat.completion", created: 0, model: "stand-in" };
    response.writeHead(200, headers).end(JSON.stringify({ ...completion, choices, usage: USAGE }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(model, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}

async function countLines(request: IncomingMessage): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as {
    messages: { role: string; content: string }[];
  };
  const question = messages.find(({ role }) => role === "user")?.content ?? '{"lines":[]}';
  return (JSON.parse(question) as { lines: unknown[] }).lines.length;
}
