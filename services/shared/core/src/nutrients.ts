/** The nutrients of the public interface. Energy is in kcal. */
export type Nutrient =
  "calories" | "protein" | "carbs" | "fat" | "sugar" | "fiber" | "sodium" | "water_milliliters";

/** How a nutrient is shown. */
export interface ShownNutrient {
  readonly name: Nutrient;
  readonly label: string;
  readonly unit: string;
}

export const MACROS = [
  { name: "protein", label: "Protein", unit: "g" },
  { name: "carbs", label: "Carbohydrate", unit: "g" },
  { name: "fat", label: "Fat", unit: "g" },
] as const satisfies readonly ShownNutrient[];

export const OTHERS = [
  { name: "sugar", label: "Sugar", unit: "g" },
  { name: "fiber", label: "Fiber", unit: "g" },
  { name: "sodium", label: "Sodium", unit: "mg" },
] as const satisfies readonly ShownNutrient[];
