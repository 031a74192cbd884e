import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Failure } from "@nutrition/core/failure";
import { newId } from "@nutrition/core/ids";
import { AnalysisService, Provenance } from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type {
  AnalyzeRequest,
  AnalyzedLineSchema,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { LimitsService } from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type {
  PolicyStateSchema,
  RefusalSchema,
  ReleaseRequest,
  ReserveRequest,
} from "@nutrition/proto/nutrition/limits/v1/limits_pb";
import type { CallContext } from "@nutrition/rpc/context";
import { bind, startRpcServer } from "@nutrition/rpc/server";
import type { RpcServer } from "@nutrition/rpc/server";
import type { TestIdentity } from "@nutrition/rpc/testing";
import { silentLogger } from "@nutrition/service/logger";

const FROM_JOURNAL = { callers: ["journal"], user: "none" } as const;
const FOR_A_USER = { callers: ["journal"], user: "required" } as const;

type ReservationState = "reserved" | "committed" | "released" | "failed";
export type FakeRefusal = MessageInitShape<typeof RefusalSchema>;
export type FakePolicy = MessageInitShape<typeof PolicyStateSchema>;
export type FakeLine = MessageInitShape<typeof AnalyzedLineSchema>;

function unavailable(): Failure {
  return new Failure("unavailable", "FAKE_AWAY", "Unavailable for the test.");
}

/** A fake limits service that allows everything, implements the contract, and records calls. */
export class FakeLimits {
  /** Owner and state of each reservation. */
  readonly reservations = new Map<string, { accountId: string; state: ReservationState }>();
  readonly requests: ReserveRequest[] = [];
  /** Answers to the next reservations. */
  readonly refusals: FakeRefusal[] = [];
  /** The limit states that each reservation returns. */
  left: FakePolicy[] = [];
  isAway = false;
  /** The server, once started. */
  server!: RpcServer;

  async start(identity: TestIdentity): Promise<void> {
    const handlers = {
      reserve: async (request: ReserveRequest, { user }: CallContext) => {
        if (this.isAway) throw unavailable();
        this.requests.push(request);
        const refusal = this.refusals.shift();
        if (refusal) return { outcome: { case: "refusal" as const, value: refusal } };
        const id = newId();
        this.reservations.set(id, { accountId: user!.accountId, state: "reserved" });
        const expiresAt = timestampFromDate(new Date(Date.now() + 60_000));
        const value = { id, expiresAt };
        return { outcome: { case: "reservation" as const, value }, policies: this.left };
      },
      commit: async ({ reservationId }: { reservationId: string }) => {
        this.#settle(reservationId, "committed");
        return {};
      },
      release: async ({ reservationId, analysisFailed }: ReleaseRequest) => {
        this.#settle(reservationId, analysisFailed ? "failed" : "released");
        return {};
      },
    };
    const access = { reserve: FOR_A_USER, commit: FROM_JOURNAL, release: FROM_JOURNAL };
    this.server = await startRpcServer({
      host: "127.0.0.1",
      port: 0,
      identity: identity.verifier("limits"),
      logger: silentLogger,
      services: [bind(LimitsService, handlers, access)],
    });
  }

  /** Ids of the account's reservations in a state. */
  of(accountId: string, state: ReservationState): string[] {
    return [...this.reservations]
      .filter(([, held]) => held.accountId === accountId && held.state === state)
      .map(([id]) => id);
  }

  #settle(reservationId: string, state: ReservationState): void {
    if (this.isAway) throw unavailable();
    this.reservations.get(reservationId)!.state = state;
  }
}

/** A fake analysis service with answers set by the test. */
export class FakeAnalysis {
  readonly requests: AnalyzeRequest[] = [];
  /** Creates each line's answer. */
  answer: (line: string) => FakeLine = () => estimate({ calories: 100 });
  /** Awaited before each answer. */
  gate: () => Promise<void> = async () => {};
  isAway = false;
  /** Whether its answers cost money. */
  charged = false;
  /** The server, once started. */
  server!: RpcServer;

  /** Holds back answers until `open` is called; `reached` resolves when a call is waiting. */
  closeGate() {
    const reached = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    this.gate = () => {
      reached.resolve();
      return opened.promise;
    };
    return { reached: reached.promise, open: () => opened.resolve() };
  }

  async start(identity: TestIdentity): Promise<void> {
    const handlers = {
      analyze: async (request: AnalyzeRequest) => {
        if (this.isAway) throw unavailable();
        this.requests.push(request);
        await this.gate();
        return { lines: request.lines.map(this.answer), charged: this.charged };
      },
    };
    this.server = await startRpcServer({
      host: "127.0.0.1",
      port: 0,
      identity: identity.verifier("analysis"),
      logger: silentLogger,
      services: [
        bind(AnalysisService, handlers, { analyze: { callers: ["journal"], user: "optional" } }),
      ],
    });
  }
}

export interface FakeEstimate {
  calories: number;
  protein?: number;
  carbs?: number;
  fat?: number;
  sugar?: number;
  fiber?: number;
  sodium?: number;
  water?: number;
  comment?: string;
}

/** An answer with these figures. */
export function estimate({ water = 0, comment = "", ...nutrients }: FakeEstimate): FakeLine {
  const value = {
    nutrients,
    isWater: water > 0,
    waterMilliliters: water,
    confidence: 0.876,
    comment,
    provenance: Provenance.FOOD_TABLE,
  };
  return { outcome: { case: "estimate", value } };
}

/** An answer without figures, about some words of the line. */
export function cannotTell(message: string, words = ""): FakeLine {
  return { outcome: { case: "cannotTell", value: { message, words } } };
}
