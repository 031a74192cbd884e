/** Figures of an item; sodium in milligrams, energy in kcal, the others in grams. */
export type Figures = Partial<Record<Figure, number>>;

export const FIGURES = ["calories", "protein", "carbs", "fat", "sugar", "fiber", "sodium"] as const;
export type Figure = (typeof FIGURES)[number];

/** An item as another service's export tells it. */
export interface DiaryItem {
  /** "YYYY-MM-DD". */
  date: string;
  description: string;
  /** What is not shown: the meal, the time, a note. */
  detailedDescription: string;
  /** Calories are always among them. */
  figures: Figures;
  /** Of plain water; 0 for food. */
  waterMilliliters: number;
}

/** The cells of one row by the name that a format gives its columns; empty when there is none. */
export type Cells = (column: string) => string;

/** What an export of a service looks like. */
export interface DiaryFormat {
  /** Headings, in lower case, that each column may have; the first that stands in a file counts. */
  columns: { readonly [column: string]: readonly string[] };
  /** Columns that a file must have. */
  required: readonly string[];
  /** What to export instead of a file without them. */
  advice: string;
  /** The item of a row, or why there is none. */
  read(cells: Cells): DiaryItem | string;
}

const NUMBER = /^\d{1,12}(\.\d{1,20})?$/;

/** The figures that a row tells, or what is wrong with the first that cannot be read. */
export function readFigures(cells: Cells): Figures | string {
  const figures: Figures = {};
  for (const name of FIGURES) {
    const text = cells(name);
    if (text === "") continue;
    if (!NUMBER.test(text)) {
      return `${JSON.stringify(text)} is no amount of ${name}; write it as 1234.5.`;
    }
    figures[name] = Number(text);
  }
  return figures;
}

/** One line of text without white space around and in front of it. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
