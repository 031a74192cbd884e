import { NUTRIENTS, amountOf, byKey } from "@nutrition/core/nutrients";
import type {
  ExplainedPart,
  ExplainLineResponse,
  Nutrients,
} from "@nutrition/proto/nutrition/analysis/v1/analysis_pb";
import { Argument } from "commander";

import { CALL } from "../call-options.ts";
import type { Command } from "../command.ts";
import { formatTable } from "../table.ts";

/** Explains how a line of food is read. */
export const explain: Command = {
  summary: "Show how a journal line is read.",
  details: [
    "For each food: the words, the amount that was read, the food with its reference code, the grams",
    "and the assumptions behind them, the figures, the confidence of match and portion, and other",
    "possible meanings. Exit code 1 when the line cannot be estimated.",
  ],
  options: [],
  positionals: [new Argument("<TEXT>", 'one line, quoted: "2 eggs fried in butter"')],
  async run(services, { positionals }) {
    const explained = await services.analysis.explainLine({ line: positionals[0]! }, CALL);
    const json = explanationView(explained);
    return { json, text: explanationText(json), isNegative: !json.answered };
  },
};

type Explanation = ReturnType<typeof explanationView>;
type PartView = ReturnType<typeof partView>;

function explanationView({ result, parts, unknown }: ExplainLineResponse) {
  const outcome = result?.outcome;
  const estimate = outcome?.case === "estimate" ? outcome.value : undefined;
  return {
    answered: estimate !== undefined,
    ...figuresOf(estimate?.nutrients),
    water_milliliters: estimate?.waterMilliliters ?? null,
    confidence: estimate?.confidence ?? null,
    comment: estimate?.comment || null,
    message: outcome?.case === "cannotTell" ? outcome.value.message : null,
    parts: parts.map(partView),
    unknown,
  };
}

function partView(part: ExplainedPart) {
  return {
    text: part.text,
    amount: part.amount || null,
    food: part.food?.name ?? "",
    brand: part.food?.brand || null,
    reference: part.food?.reference ?? "",
    grams: part.grams,
    assumption: part.assumption || null,
    ...figuresOf(part.nutrients),
    match_confidence: part.matchConfidence,
    portion_confidence: part.portionConfidence,
    alternatives: part.alternatives.map(({ food, score }) => ({
      reference: food?.reference ?? "",
      name: food?.name ?? "",
      score,
    })),
  };
}

function figuresOf(nutrients: Nutrients | undefined) {
  return byKey(NUTRIENTS, ({ key }) => amountOf(nutrients, key) ?? null);
}

function explanationText(explained: Explanation): string {
  const { answered, parts, unknown, comment, message } = explained;
  const notUnderstood = unknown.length === 0 ? [] : [`Not understood: ${unknown.join("; ")}`];
  if (parts.length === 0 && !answered)
    return [`No estimate: ${message}`, ...notUnderstood].join("\n");
  const total = answered
    ? `${formatAmount(explained.calories)} kcal, protein ${formatAmount(explained.protein)} g, carbs ${formatAmount(explained.carbs)} g, fat ${formatAmount(explained.fat)} g; confidence ${share(explained.confidence)}`
    : `No estimate: ${message}`;
  const table = formatTable(
    parts,
    [
      ["words", (part) => part.text],
      ["amount", (part) => part.amount],
      ["food", (part) => part.food],
      ["reference", (part) => part.reference],
      ["grams", (part) => formatAmount(part.grams)],
      ["kcal", (part) => formatAmount(part.calories)],
      ["match", (part) => share(part.match_confidence)],
      ["portion", (part) => share(part.portion_confidence)],
      ["assumed", (part) => part.assumption],
    ],
    "No food was found in it.",
  );
  return [
    total,
    ...(comment === null ? [] : [comment]),
    "",
    table,
    ...notUnderstood.flatMap((text) => ["", text]),
    ...alternativesText(parts),
  ].join("\n");
}

function alternativesText(parts: readonly PartView[]): string[] {
  const lines = parts
    .filter(({ alternatives }) => alternatives.length > 0)
    .map(
      ({ text, alternatives }) => `  ${text}: ${alternatives.map(({ name }) => name).join("; ")}`,
    );
  return lines.length === 0 ? [] : ["", "Other possible meanings:", ...lines];
}

function formatAmount(amount: number | null): string {
  return amount === null ? "unknown" : String(Math.round(amount * 10) / 10);
}

function share(value: number | null): string {
  return value === null ? "-" : value.toFixed(2);
}
