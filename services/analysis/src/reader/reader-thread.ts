// The thread that reads food text. The tables are in its memory alone.
import { openFoods } from "./open-foods.ts";
import { serveReader } from "./serve-reader.ts";

await serveReader(openFoods);
