import { join } from "node:path";

import type { Person } from "./person.ts";

/** Settings of a person's browser. */
export interface Look {
  readonly colorScheme: "light" | "dark";
  readonly viewport: { readonly width: number; readonly height: number };
}

/** Takes screenshots, and reports overflow, which screenshots do not show. */
export class Camera {
  readonly #folder: string;
  readonly #suffix: string;

  constructor(folder: string, { colorScheme, viewport }: Look) {
    this.#folder = folder;
    this.#suffix = `${colorScheme}-${viewport.width}`;
  }

  /** Takes a screenshot of the whole page. */
  async take({ page, alarms }: Person, name: string): Promise<void> {
    await page.waitForLoadState("networkidle");
    const path = join(this.#folder, `${name}-${this.#suffix}.png`);
    await page.screenshot({ path, fullPage: true });
    const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    if (overflow !== 0) console.log(`${name}-${this.#suffix} is ${String(overflow)} px too wide`);
    for (const alarm of alarms.splice(0)) console.log(`${name}-${this.#suffix}: ${alarm}`);
  }

  /** Takes screenshots of pages by path, with everything expanded. */
  async takeAll(person: Person, pages: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, path] of Object.entries(pages)) {
      await person.open(path);
      // The charts' script closes their fallback tables.
      await person.page.waitForLoadState("networkidle");
      await person.page.evaluate(
        "for (const one of document.querySelectorAll('main details')) one.open = true",
      );
      await this.take(person, name);
    }
  }
}
