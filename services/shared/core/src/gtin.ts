const LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14]);
/** Digits of the longest form; shorter ones are the same number with zeros before it. */
const DIGITS = 14;

/**
 * Whether digits are as many as a GTIN has, the number of a barcode (GS1 General Specifications):
 * GTIN-8, UPC-A, EAN-13 or GTIN-14.
 */
export function hasGtinLength(digits: string): boolean {
  return LENGTHS.has(digits.length);
}

/** Whether digits are a GTIN whose last digit is the one that the others lead to. */
export function isGtin(digits: string): boolean {
  if (!hasGtinLength(digits) || !/^\d+$/.test(digits)) return false;
  const sum = [...gtin14(digits)].reduce(
    (total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1),
    0,
  );
  // Zeros are what scanners and forms send for nothing.
  return sum % 10 === 0 && sum > 0;
}

/** A GTIN in 14 digits, by which all its forms are equal. */
export function gtin14(digits: string): string {
  return digits.padStart(DIGITS, "0");
}
