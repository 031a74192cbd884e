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

/** SQL text that is inserted into statements verbatim. */
export class Fragment {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Makes a fragment of statements, such as a list of columns. Never pass user input. */
export function fragment(text: string): Fragment {
  return new Fragment(text);
}

/** The constant part of a template. */
interface Template {
  readonly text: string;
  readonly summary: string;
  /** Indexes of the fragments among the template's values; undefined if there are none. */
  readonly fragments: ReadonlyMap<number, Fragment> | undefined;
}

const templates = new WeakMap<TemplateStringsArray, Template>();

/**
 * Builds a statement from a template; every `${value}` becomes a numbered parameter, so user input
 * never becomes SQL. Fragments are inserted verbatim and must be the same at every call.
 */
export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  const { text, summary, fragments } = templates.get(strings) ?? remember(strings, values);
  if (fragments === undefined) return { text, values, summary };
  for (const [index, expected] of fragments) {
    if (values[index] !== expected) throw new Error("A statement's fragment has changed.");
  }
  return { text, values: values.filter((_, place) => !fragments.has(place)), summary };
}

/**
 * A statement that is prepared once per connection. `name` must be unique in the service; `text`
 * has numbered parameters.
 */
export function prepared(name: string, text: string): (...values: unknown[]) => Statement {
  return (...values) => ({ name, text, values, summary: name });
}

/**
 * Like `sql`, for a statement that a connection prepares once, so that PostgreSQL parses and plans it
 * once. `name` must be unique in the service.
 */
export function preparedSql(name: string): typeof sql {
  return (strings, ...values) => ({ ...sql(strings, ...values), name });
}

function remember(strings: TemplateStringsArray, values: readonly unknown[]): Template {
  const fragments = new Map<number, Fragment>();
  let text = strings[0] ?? "";
  for (const [place, value] of values.entries()) {
    if (value instanceof Fragment) fragments.set(place, value);
    const inserted = value instanceof Fragment ? value.text : `$${place + 1 - fragments.size}`;
    text += inserted + strings[place + 1];
  }
  const template = {
    text,
    summary: summaryOf(text),
    fragments: fragments.size === 0 ? undefined : fragments,
  };
  templates.set(strings, template);
  return template;
}
