// Metrics specific to the nutrition journal. Every attribute value is one of a few constants in the
// code or, for policies, a name from the policy file.
import { counter, gauge, histogram } from "./registry.ts";

const PROVIDER = "nutrition.analysis.provider";

export const limitsRefusals = counter({
  name: "nutrition.limits.refusals",
  unit: "{refusal}",
  description: "Requests and writes refused, by the policy that refused them.",
  attributes: ["nutrition.policy"],
});

export const limitsReservations = counter({
  name: "nutrition.limits.reservations",
  unit: "{reservation}",
  description: "Reservations by event: opened, committed, released, or expired without a result.",
  attributes: ["nutrition.reservation.outcome"],
});

export const limitsReservationsOpen = gauge({
  name: "nutrition.limits.reservations.open",
  unit: "{reservation}",
  description: "Open reservations.",
  attributes: [],
});

export const limitsReservationsOverdue = gauge({
  name: "nutrition.limits.reservations.overdue",
  unit: "{reservation}",
  description: "Expired reservations that the journal has not settled yet.",
  attributes: [],
});

export const limitsBatchSize = histogram({
  name: "nutrition.limits.batch.size",
  unit: "{decision}",
  description: "Decisions taken in one transaction.",
  attributes: [],
  bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
});

export const limitsQueueDepth = gauge({
  name: "nutrition.limits.queue.depth",
  unit: "{decision}",
  description: "Decisions that wait for a batch.",
  attributes: [],
});

export const limitsQueueWait = histogram({
  name: "nutrition.limits.queue.wait",
  unit: "s",
  description: "Time that a decision waited for its batch.",
  attributes: [],
  bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
});

export const databaseCondition = gauge({
  name: "nutrition.database.condition",
  unit: "{condition}",
  description:
    "1 while an instance notices the condition: disk_full, disk_nearly_full, read_only, connections_used_up, out_of_memory, storage_failing or unreachable.",
  attributes: ["nutrition.database.condition"],
});

export const outboxMessages = gauge({
  name: "nutrition.outbox.messages",
  unit: "{message}",
  description: "Outbox messages that have not been acknowledged.",
  attributes: ["nutrition.outbox"],
});

export const outboxAge = gauge({
  name: "nutrition.outbox.age",
  unit: "s",
  description: "Age of the oldest unacknowledged outbox message; 0 when there is none.",
  attributes: ["nutrition.outbox"],
});

export const providerMailsMissing = counter({
  name: "nutrition.provider.mails.missing",
  unit: "{mail}",
  description:
    "Mails that the identity provider did not send: within a minute of another to the address (pause), beyond the project's quota, or because of a failure.",
  attributes: ["nutrition.mail.reason"],
});

export const journalWrites = counter({
  name: "nutrition.journal.writes",
  unit: "{write}",
  description: "Writes by kind and outcome: written, duplicate, refused or failed.",
  attributes: ["nutrition.write.kind", "nutrition.write.outcome"],
});

export const analysisDuration = histogram({
  name: "nutrition.analysis.duration",
  unit: "s",
  description: "Analyses of one call, all its lines together.",
  attributes: ["nutrition.analysis.outcome"],
  bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16],
});

export const analysisLines = counter({
  name: "nutrition.analysis.lines",
  unit: "{line}",
  description: "Lines by source: stated, remembered, model, tables or nothing.",
  attributes: [PROVIDER],
});

export const analysisFallbacks = counter({
  name: "nutrition.analysis.fallbacks",
  unit: "{line}",
  description: "Lines answered from the tables because the model could not, by reason.",
  attributes: ["nutrition.fallback.reason"],
});

export const analysisReaderEnds = counter({
  name: "nutrition.analysis.reader.ends",
  unit: "{thread}",
  description:
    "Threads that read food text and were replaced, because a line blocked them or they failed.",
  attributes: [],
});

export const modelCost = counter({
  name: "nutrition.model.cost",
  unit: "{USD}",
  description: "Cost of language model calls.",
  attributes: [],
});

export const modelBudget = gauge({
  name: "nutrition.model.budget",
  unit: "{USD}",
  description: "Daily budget of the language model.",
  attributes: [],
});

export const modelBudgetSpent = gauge({
  name: "nutrition.model.budget.spent",
  unit: "{USD}",
  description: "Part of the day's budget that has been spent.",
  attributes: [],
});

export const modelBudgetRefusals = counter({
  name: "nutrition.model.budget.refusals",
  unit: "{question}",
  description: "Model calls that were skipped because the day's budget was used up.",
  attributes: [],
});

export const breakerOpen = gauge({
  name: "nutrition.breaker.open",
  unit: "{breaker}",
  description: "1 while a circuit breaker is open.",
  attributes: ["nutrition.breaker"],
});

export const keySetFetched = gauge({
  name: "nutrition.key_set.fetched",
  unit: "s",
  description: "When the identity provider's keys were last fetched, since 1970.",
  attributes: [],
});

export const keySetUnavailable = gauge({
  name: "nutrition.key_set.away",
  unit: "{key_set}",
  description: "1 while the identity provider's keys cannot be fetched.",
  attributes: [],
});

export const accounts = gauge({
  name: "nutrition.accounts",
  unit: "{account}",
  description: "Accounts.",
  attributes: [],
});

export const activeKeys = gauge({
  name: "nutrition.api_keys",
  unit: "{key}",
  description: "Active API keys.",
  attributes: [],
});

export const connections = gauge({
  name: "nutrition.connections",
  unit: "{connection}",
  description: "Live connections of assistants.",
  attributes: [],
});
