/** Formats a count with its noun, such as "1 item" or "4 items". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
