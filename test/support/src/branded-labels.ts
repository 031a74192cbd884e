/** A made-up label in the style of real packages. */
export interface BrandedLabel {
  brand: string;
  owner: string;
  name: string;
  /** Per 100 g. */
  calories: number;
  protein: number;
  carbs: number;
  fat: number;
  servingGrams: number;
  household: string;
}

const words = (text: string) => text.split(", ");
const BRAND_STARTS = words(
  "Great, Golden, Sunny, Happy, Green, Blue, Silver, Old, New, Royal, Simple, True, Wild, Pure, Little, Big, Red, Maple, River, Mountain, Harbor, Prairie, Coastal, Orchard, Valley, Urban, Lucky, Noble, Bright, Hidden",
);
const BRAND_ENDS = words(
  "Value, Farms, Valley, Kitchen, Harvest, Table, Pantry, Acres, Mills, Foods, Fields, Choice, Market, Garden, Creamery, Bakery, Ranch, Orchards, Brothers, House, Planet, Spoon, Basket, Hill, Grove, Coast, Trail, Hearth, Oven, Barn",
);
const OWNERS = words(
  "Wal-Mart Stores Inc., TARGET STORES, The Kroger Co., Meijer Inc., Safeway Inc., Topco Associates, Nestle USA Inc., General Mills Inc., Kraft Heinz Foods Company, Conagra Brands",
);
const STYLES = words(
  "Organic, Classic, Original, Lightly Salted, Low Fat, Fat Free, Reduced Sodium, Honey, Spicy, Roasted, Smoked, Whole Grain, Gluten Free, Unsweetened, Vanilla, Chocolate, Strawberry, Cheddar, Garlic & Herb, Sea Salt, Barbecue, Maple, Cinnamon, Lemon, Ranch, Double, Creamy, Crunchy, Thick & Chunky, All Natural",
);
const PRODUCTS: readonly (readonly [string, number, number, number, number, string])[] = [
  ["Greek Yogurt", 80, 9, 6, 2.5, "1 container"],
  ["Whole Milk", 61, 3.2, 4.8, 3.3, "1 cup"],
  ["Potato Chips", 536, 7, 53, 34, "15 chips"],
  ["Peanut Butter", 590, 22, 22, 50, "2 Tbsp"],
  ["Granola Bars", 450, 8, 66, 17, "1 bar"],
  ["Chicken Breast Tenders", 180, 14, 12, 8, "3 pieces"],
  ["Cheddar Cheese Slices", 400, 24, 2, 33, "1 slice"],
  ["Tomato Ketchup", 100, 1, 26, 0.1, "1 Tbsp"],
  ["Whole Wheat Bread", 250, 12, 43, 3.5, "1 slice"],
  ["Ice Cream", 210, 3.5, 24, 11, "2/3 cup"],
  ["Orange Juice", 45, 0.7, 10, 0.2, "8 fl oz"],
  ["Black Beans", 90, 6, 16, 0.3, "1/2 cup"],
  ["Frozen Cheese Pizza", 260, 11, 30, 10, "1/4 pizza"],
  ["Trail Mix", 480, 13, 45, 30, "1/4 cup"],
  ["Pasta Sauce", 60, 1.5, 9, 2, "1/2 cup"],
  ["Almond Butter Cookies", 470, 7, 60, 23, "2 cookies"],
  ["Turkey Bacon", 240, 22, 2, 16, "1 slice"],
  ["Cream Cheese Spread", 320, 6, 6, 31, "2 Tbsp"],
  ["Corn Tortillas", 218, 6, 45, 3, "2 tortillas"],
  ["Chocolate Chip Cookies", 490, 5, 65, 24, "3 cookies"],
];

/** Number of distinct brands of the labels. */
export const BRANDS_COUNT = BRAND_STARTS.length * BRAND_ENDS.length;

/** A brand by its number. */
export function brandName(number: number): string {
  const start = BRAND_STARTS[number % BRAND_STARTS.length]!;
  return `${start} ${BRAND_ENDS[Math.floor(number / BRAND_STARTS.length) % BRAND_ENDS.length]!}`;
}

/** The label with this number, always the same. */
export function brandedLabel(number: number): BrandedLabel {
  const mixed = mix(number);
  const [product, calories, protein, carbs, fat, household] = PRODUCTS[mixed % PRODUCTS.length]!;
  const style = STYLES[(mixed >>> 5) % STYLES.length]!;
  const second = STYLES[(mixed >>> 10) % STYLES.length]!;
  const brand = brandName(mix(mixed) % BRANDS_COUNT);
  const name = style === second ? `${style} ${product}` : `${style} ${second} ${product}`;
  const servingGrams = 20 + (mixed % 200);
  const owner = OWNERS[mixed % OWNERS.length]!;
  return { brand, owner, name, calories, protein, carbs, fat, servingGrams, household };
}

/** Spreads consecutive numbers over 32 bits. */
function mix(number: number): number {
  const first = Math.imul(number ^ (number >>> 16), 0x85eb_ca6b);
  return (first ^ (first >>> 13)) >>> 0;
}
