import { describe, expect, it } from "vitest";

import type { Estimate } from "../src/domain/estimate/estimate.ts";
import { openTable } from "./reader.ts";

const { estimate } = await openTable();

function estimated(line: string): Estimate {
  const result = estimate(line);
  if (result.kind !== "estimate") throw new Error(`${line}: ${result.message}`);
  return result;
}

function foodsOf(line: string): [string, number][] {
  return estimated(line).components.map(({ foodName, grams }) => [foodName, Math.round(grams)]);
}

describe("lines of recipes", () => {
  it.each<[string, [string, number][]]>([
    ["2 (6 oz) salmon fillets, skin off", [["salmon", 340]]],
    ["4 (4 oz) beef patties", [["beef patty", 454]]],
    ["2 (14.5 oz) cans diced tomatoes, drained", [["canned tomato", 822]]],
    ["1 butternut squash (about 2 pounds), peeled", [["raw butternut squash", 907]]],
    ["3 egg yolks (large), beaten", [["egg yolk", 51]]],
    ["zest of one lemon", [["lemon zest", 6]]],
    ["juice of half a lemon", [["lemon juice", 24]]],
    ["juice of 2 large oranges", [["orange juice", 172]]],
    ["yolks of 3 eggs", [["egg yolk", 51]]],
    ["2 stalks celery, cut up", [["celery", 80]]],
    ["2 celery ribs, diced", [["celery", 80]]],
    ["1 loaf ciabatta", [["ciabatta", 454]]],
    ["1 bulb garlic", [["garlic", 40]]],
    ["1 bunch fresh parsley", [["parsley", 60]]],
    ["3 green onions, thinly sliced", [["spring onion", 45]]],
    ["4 roma tomatoes", [["plum tomato", 248]]],
    ["1 log goat cheese", [["goat cheese", 113]]],
    ["1 pint cherry tomatoes", [["cherry tomato", 298]]],
    ["1 package frozen spinach", [["cooked spinach", 284]]],
    ["4 bone-in chicken thighs", [["chicken thigh", 320]]],
    ["1 ear of corn, kernels removed", [["corn on the cob", 103]]],
    ["1 (28 ounce) can whole peeled tomatoes in juice", [["canned tomato", 794]]],
    ["2 tbsp cornstarch mixed with water", [["cornstarch", 16]]],
    ["2 salmon fillets (150 g each)", [["salmon", 300]]],
    ["2 salmon fillets (150 g apiece)", [["salmon", 300]]],
    ["2 (about 6 oz) chicken breasts", [["chicken breast", 340]]],
    ["1 cup onion, thinly sliced", [["onion", 115]]],
    ["1 cup diced onion", [["onion", 160]]],
    ["2 cups broccoli florets", [["broccoli", 182]]],
    ["1 cup mashed banana", [["banana", 225]]],
    ["1/2 cup slivered almonds", [["ground almonds", 54]]],
    ["1 cup heavy cream, whipped", [["heavy cream", 120]]],
    ["1 (15 oz) can chickpeas, drained and rinsed", [["canned chickpeas", 254]]],
    ["1 (15 oz) can chickpeas", [["canned chickpeas", 425]]],
    ["4 green onions, chopped", [["spring onion", 60]]],
    ["2 tomatoes, chopped", [["canned tomato", 246]]],
    ["1 small cabbage, shredded", [["raw cabbage", 714]]],
    ["6 bone-in, skin-on chicken drumsticks", [["chicken drumstick", 360]]],
    ["8 cremini mushrooms, quartered", [["cremini mushroom", 160]]],
  ])("%s", (line, foods) => {
    expect(foodsOf(line)).toEqual(foods);
  });

  it("tells what a whole fruit is assumed to yield", () => {
    expect(estimated("juice of 1 lime").comment).toBe("Assumed 44 g of lime juice per lime.");
  });
});
