/** `.01` to `.99`, by hundredths; empty for 0. */
const FRACTIONS: readonly string[] = Array.from({ length: 100 }, (_, hundredths) =>
  String(hundredths / 100).slice(1),
);
/** Far above any figure, and exact in every step below. */
const HUNDREDTHS_MAX = 1e9;

/** The same text as `String(figure)`, in a quarter of the time for up to two decimals, which figures have. */
export function decimal(figure: number): string {
  const hundredths = Math.round(figure * 100);
  const isExact = hundredths / 100 === figure && hundredths >= 0 && hundredths <= HUNDREDTHS_MAX;
  if (!isExact) return String(figure);
  const whole = Math.floor(hundredths / 100);
  return `${whole}${FRACTIONS[hundredths - whole * 100]}`;
}
