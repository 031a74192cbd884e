/** Makes untrusted text safe to print: it cannot move a terminal's cursor or reorder its line. */
export function printable(text: string | null): string {
  return (text ?? "").replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}
