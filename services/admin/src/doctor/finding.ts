/**
 * - `ok`: works as intended
 * - `warning`: works, but somebody should look at it
 * - `problem`: something does not work or is not safe
 * - `unchecked`: could not be checked from here, or is absent on purpose
 */
export type Level = "ok" | "warning" | "problem" | "unchecked";

/** The result of one check, with advice. */
export interface Finding {
  level: Level;
  /** Stable name, for programs. */
  code: string;
  /** Subject of the check: a service, an instance or another part of the installation. */
  subject: string;
  /** The finding and its meaning, in one or two sentences. */
  message: string;
  /** The next step; null if there is none. */
  advice: string | null;
}

export function ok(code: string, subject: string, message: string): Finding {
  return { level: "ok", code, subject, message, advice: null };
}

export function warning(code: string, subject: string, texts: Texts): Finding {
  return { level: "warning", code, subject, ...texts };
}

export function problem(code: string, subject: string, texts: Texts): Finding {
  return { level: "problem", code, subject, ...texts };
}

export function unchecked(code: string, subject: string, texts: Texts): Finding {
  return { level: "unchecked", code, subject, ...texts };
}

export interface Texts {
  message: string;
  advice: string;
}
