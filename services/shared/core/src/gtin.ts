const LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14]);
/** Length of the longest form; shorter ones are the same number without leading zeros. */
const DIGITS = 14;

/**
 * Whether `digits` has the length of a GTIN, the number of a barcode (GS1 General Specifications):
 * GTIN-8, UPC-A, EAN-13 or GTIN-14.
 */
export function hasGtinLength(digits: string): boolean {
  return LENGTHS.has(digits.length);
}

/** Whether `digits` is a GTIN with a valid check digit. */
export function isGtin(digits: string): boolean {
  if (!hasGtinLength(digits) || !/^\d+$/.test(digits)) return false;
  const sum = [...gtin14(digits)].reduce(
    (total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1),
    0,
  );
  // Scanners and forms send zeros for a missing number.
  return sum % 10 === 0 && sum > 0;
}

/** A GTIN padded to 14 digits, so that all its forms compare equal. */
export function gtin14(digits: string): string {
  return digits.padStart(DIGITS, "0");
}
