/**
 * Makes untrusted text safe to print: it cannot move a terminal's cursor or reorder its line. What could is
 * shown as U+FFFD.
 */
export function printable(text: string | null): string {
  return (text ?? "").replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, "\ufffd");
}
