/** Long enough that what grows with the square of the length takes seconds. */
export const LONG_CHARACTERS = 65_536;
const SHORT_CHARACTERS = 640;

/** What long inputs are made of: one character, white space, full stops, every separator, and pairs of them. */
export const REPEATED: readonly string[] = [
  ..."a0 \t\n.,;:!?/|\\-_=&+%'\"`()[]{}<>#@*~^$é½\u{1f34e}\u0301",
  ...["a ", "a,", "a;", "a=", "q=", "1.", "a/", "a-", ". ", ", ", "a.b", "=&", "%20", "\r\n"],
];

/** Thread CPU in milliseconds that an ordinary input of this length takes at most, on a slow machine. */
const FLOOR_MS = 30;
/** A short input shows how slow the machine is at the moment. */
const SHORT_FACTOR = 5;
const ATTEMPTS = 5;

/**
 * Whether `LONG_CHARACTERS` of the text cost more than in proportion to their length. Compilation and garbage
 * collection may add to one attempt; what an input costs shows in all of them.
 */
export async function isCostly(
  text: string,
  read: (text: string) => unknown,
  characters = LONG_CHARACTERS,
): Promise<boolean> {
  const [short, long] = [SHORT_CHARACTERS, characters].map((length) => filled(text, length));
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const shortMs = await cpuMsOf(() => read(short ?? ""));
    const longMs = await cpuMsOf(() => read(long ?? ""));
    if (longMs <= FLOOR_MS + SHORT_FACTOR * shortMs) return false;
  }
  return true;
}

/** The texts of `REPEATED` that cost more than in proportion to their length. */
export async function costlyTexts(
  read: (text: string) => unknown,
  characters = LONG_CHARACTERS,
): Promise<string[]> {
  const costly: string[] = [];
  for (const text of REPEATED) if (await isCostly(text, read, characters)) costly.push(text);
  return costly;
}

/** The text again and again, up to a length. */
export function filled(text: string, characters: number): string {
  return text.repeat(Math.ceil(characters / text.length)).slice(0, characters);
}

async function cpuMsOf(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
