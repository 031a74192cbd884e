/** An item that a person sees in their journal. */
export interface LiveItem {
  id: string;
  entryId: string;
  /** Day of its entry. */
  date: string;
  lineIndex: number;
  /** Its visible line. */
  description: string;
  details: string | null;
  /** kcal */
  calories: number;
  /** Increases with each change. */
  version: number;
}
