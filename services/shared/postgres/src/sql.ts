import { summaryOf } from "./summary.ts";

/** A query with its parameters apart from its text. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Set for statements that a connection prepares once and reuses. */
  readonly name?: string;
  /** What telemetry calls it, such as `select items`; read from the text when it is not given. */
  readonly summary?: string;
}

/** What is the same each time a template is used. */
const templates = new WeakMap<TemplateStringsArray, { text: string; summary: string }>();

/**
 * Builds a statement from a template; every `${value}` becomes a numbered parameter, so text that
 * people typed never becomes SQL.
 */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  const { text, summary } = templates.get(strings) ?? remember(strings);
  return { text, values, summary };
}

/**
 * A statement that is prepared once a connection. `name` must be unique in the service; `text` has
 * its parameters numbered.
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
