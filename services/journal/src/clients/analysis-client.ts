import type { RequestContext } from "@nutrition/core/request-context";
import { amountFields, amountsOf } from "@nutrition/core/nutrients";
import {
  AnalysisService,
  Bias,
  Provenance,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type {
  AnalyzedLine,
  Estimate as WireEstimate,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import type { Client } from "@nutrition/rpc/service-definition";

import type * as domain from "../domain/estimate.ts";
import { isStorable } from "../domain/estimate.ts";
import type {
  Analysis,
  AnalyzedLines,
  AnalyzeOptions,
  LineOutcome,
} from "../operations/analysis.ts";

const ANALYZE_TIMEOUT_MS = 15_000;

const BIASES = { lower: Bias.LOWER, neutral: Bias.NEUTRAL, higher: Bias.HIGHER } as const;

const PROVENANCES = new Map<Provenance, domain.Provenance>([
  [Provenance.FOOD_TABLE, "food_table"],
  [Provenance.MODEL, "model"],
  [Provenance.USER_MEMORY, "user_memory"],
  [Provenance.STATED, "stated"],
]);

/** Calls the analysis service. Results that cannot be stored are a bug of that service. */
export class RpcAnalysis implements Analysis {
  readonly #client: Client<typeof AnalysisService>;

  constructor(client: Client<typeof AnalysisService>) {
    this.#client = client;
  }

  async analyze(options: AnalyzeOptions, context: RequestContext): Promise<AnalyzedLines> {
    const { lines, charged } = await this.#client.analyze(
      {
        lines: [...options.lines],
        details: options.details ?? "",
        correction: options.correction ?? "",
        bias: options.bias === null ? Bias.UNSPECIFIED : BIASES[options.bias],
        remembered: options.remembered.map(({ text, nutrients, waterMilliliters }) => ({
          text,
          nutrients: amountFields(nutrients),
          waterMilliliters,
        })),
      },
      { timeoutMs: ANALYZE_TIMEOUT_MS, onBehalfOf: context },
    );
    if (lines.length !== options.lines.length) {
      throw new Error(`The analysis returned ${lines.length} lines for ${options.lines.length}.`);
    }
    return { outcomes: lines.map((line) => toOutcome(line, options.details)), charged };
  }
}

/** Keeps all of `said` unless the analysis names the part about this line. */
function toOutcome({ outcome, details, occasion }: AnalyzedLine, said: string | null): LineOutcome {
  if (outcome.case === "cannotTell") return { cannotTell: outcome.value };
  if (outcome.case !== "estimate")
    throw new Error("The analysis returned a line without an outcome.");
  const estimate = toEstimate(outcome.value);
  if (!isStorable(estimate)) throw new Error("The analysis returned a figure out of range.");
  return {
    estimate,
    details: details === undefined ? said : details || null,
    occasion: occasion === "" ? null : occasion,
  };
}

function toEstimate(wire: WireEstimate): domain.Estimate {
  const { nutrients } = wire;
  if (!nutrients) throw new Error("The analysis returned an estimate without figures.");
  return {
    nutrients: amountsOf(nutrients),
    isWater: wire.isWater,
    waterMilliliters: wire.waterMilliliters,
    confidence: wire.confidence,
    comment: wire.comment === "" ? null : wire.comment,
    provenance: PROVENANCES.get(wire.provenance) ?? "unknown",
  };
}
