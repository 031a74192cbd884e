/** A query with its parameters apart from its text. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Set for statements that a connection prepares once and reuses. */
  readonly name?: string;
}

/**
 * Builds a statement from a template; every `${value}` becomes a numbered parameter, so text that
 * people typed never becomes SQL.
 */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  const text = strings.reduce((built, part, index) => `${built}$${index}${part}`);
  return { text, values };
}

/**
 * A statement that is prepared once a connection. `name` must be unique in the service; `text` has
 * its parameters numbered.
 */
export function prepared(name: string, text: string): (...values: unknown[]) => Statement {
  return (...values) => ({ name, text, values });
}
