// The thread that reads food text, with lines that cost what they say: "burn 300 ms" takes 300 ms of CPU time,
// and "crash" ends the thread.
import { openFoods } from "../src/reader/open-foods.ts";
import { serveReader, WORKS } from "../src/reader/serve-reader.ts";

function pay(line: string): void {
  if (line.includes("crash")) process.exit(1);
  const ms = Number(/burn (\d+) ms/.exec(line)?.[1] ?? 0);
  const started = process.threadCpuUsage();
  while (process.threadCpuUsage(started).user < ms * 1_000);
}

await serveReader(openFoods, {
  ...WORKS,
  readLines: async (asked, reading) => {
    const { lines, details } = asked;
    reading.meter(-1, () => pay(details));
    lines.forEach((line, at) => reading.meter(at, () => pay(line)));
    return WORKS.readLines(asked, reading);
  },
  searchFoods: async (query, reading) => {
    pay(query.text);
    return WORKS.searchFoods(query, reading);
  },
});
