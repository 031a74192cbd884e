import type { Markup } from "@nutrition/core/markup";

/** A part of a chapter that can be linked to. */
export interface Section {
  /** Anchor, unique in its chapter. */
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
  /** Sections of the same group share a heading in the navigation. */
  readonly group?: string;
}

/** A page below `/docs`. */
export interface Chapter {
  readonly path: string;
  readonly title: string;
  readonly introduction: Markup;
  readonly sections: readonly Section[];
  /** Whether its examples are given in several languages, among which the reader chooses. */
  readonly hasLanguages?: boolean;
}
