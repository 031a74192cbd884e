import type { Markup } from "@nutrition/core/markup";

/** A part of a chapter with an anchor. */
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
  /** Whether readers can choose the language of its examples. */
  readonly hasLanguages?: boolean;
}
