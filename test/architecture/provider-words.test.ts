import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Where each provider's own terms may stand: its adapters, its stand-in, and what checks its settings. */
const ADAPTERS =
  /^services\/(shared\/oauth\/src\/supabase|web\/src\/identity-provider\/supabase|identity|admin\/src\/(doctor|provider-users\.ts))/;

/** Terms of Supabase Auth's API and tokens. */
const WORDS =
  /session_id|\bamr\b|is_anonymous|jwks\.json|GoTrue|user_metadata|app_metadata|service_role|error_code|email_confirmed_at/;

test("an identity provider's own terms stand only in its adapters", () => {
  const files = globSync("services/**/src/**/*.ts", { cwd: ROOT, exclude: ["**/node_modules"] });
  const found = files
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !ADAPTERS.test(file) && !/\.test\.ts$|\/testing\.ts$/.test(file))
    .flatMap((file) =>
      readFileSync(join(ROOT, file), "utf8")
        .split("\n")
        .filter((line) => WORDS.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});
