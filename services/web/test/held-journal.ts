import { Failure } from "@nutrition/core/failure";
import { silentLogger } from "@nutrition/core/logger";
import { JournalService } from "@nutrition/proto/nutrition/journal/v1/journal_pb";
import type { CallContext } from "@nutrition/rpc/context";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import type { RpcServer } from "@nutrition/rpc/server";
import type { CallOptions } from "@nutrition/rpc/service-definition";

import type { WebFixture } from "./web-fixture.ts";
import { CALL } from "./web-fixture.ts";

const SESSION = { callers: ["web"], user: "session" } as const;
const ACCESS = {
  getSettings: SESSION,
  updateSettings: SESSION,
  getSummary: SESSION,
  listMutations: SESSION,
  listOccasions: SESSION,
  exportJournal: SESSION,
} as const;

/** A proxy in front of the journal that holds calls back, like a busy journal. */
export class HeldJournal implements AsyncDisposable {
  /** Calls that are held. */
  held = 0;
  /** Held calls whose caller cancelled. */
  givenUp = 0;
  /** Error with which every call is refused, if any. */
  refusal: Failure | undefined;
  #gate = Promise.withResolvers<void>();
  #server: RpcServer | undefined;

  async start(web: WebFixture): Promise<void> {
    const { journal } = web.as("web");
    const settle =
      <Request, Reply>(call: (request: Request, options: CallOptions) => Promise<Reply>) =>
      async (request: Request, context: CallContext): Promise<Reply> => {
        await this.#hold(context);
        return call(request, { ...CALL, ...(context.user && { user: context.user }) });
      };
    const handlers = {
      getSettings: settle(journal.getSettings),
      updateSettings: settle(journal.updateSettings),
      getSummary: settle(journal.getSummary),
      listMutations: settle(journal.listMutations),
      listOccasions: settle(journal.listOccasions),
      exportJournal: settle(journal.exportJournal),
    };
    this.#server = await startRpcServer({
      host: "127.0.0.1",
      port: 0,
      identity: web.identity.verifier("journal"),
      logger: silentLogger,
      services: [bind(JournalService, handlers, ACCESS)],
    });
    this.letGo();
  }

  get address(): string {
    return this.#server?.address ?? "";
  }

  /** Holds calls from now on. */
  hold(): void {
    this.#gate = Promise.withResolvers();
    this.held = 0;
    this.givenUp = 0;
  }

  /** Releases held calls and lets new ones through. */
  letGo(): void {
    this.#gate.resolve();
  }

  /** A cancelled call stays held, too: the journal has not stopped working on it. */
  async #hold({ signal }: CallContext): Promise<void> {
    if (this.refusal) throw this.refusal;
    this.held += 1;
    signal.addEventListener("abort", () => void (this.givenUp += 1), { once: true });
    await this.#gate.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.letGo();
    await this.#server?.[Symbol.asyncDispose]();
  }
}
