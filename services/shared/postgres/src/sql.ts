import { summaryOf } from "./summary.ts";

/** A query with its parameters separate from its text. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Set for statements that a connection prepares once and reuses. */
  readonly name?: string;
  /** Name in telemetry, such as `select items`; by default derived from the text. */
  readonly summary?: string;
}

/** The constant part of a template. */
const templates = new WeakMap<TemplateStringsArray, { text: string; summary: string }>();

/**
 * Builds a statement from a template; every `${value}` becomes a numbered parameter, so user input
 * never becomes SQL.
 */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  const { text, summary } = templates.get(strings) ?? remember(strings);
  return { text, values, summary };
}

/**
 * A statement that is prepared once per connection. `name` must be unique in the service; `text`
 * has numbered parameters.
 */
export function prepared(name: string, text: string): (...values: unknown[]) => Statement {
  return (...values) => ({ name, text, values, summary: name });
}

function remember(strings: TemplateStringsArray) {
  const text = strings.reduce((built, part, index) => `${built}$${index}${part}`);
  const remembered = { text, summary: summaryOf(text) };
  templates.set(strings, remembered);
  return remembered;
}
