import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { assetPath } from "../../http/assets.ts";
import { howToConnect } from "../connections/how-to-connect.ts";
import { LEAK_REPORT_ROUTE } from "../leak-report/view.ts";

/** Introduces the service, with links to sign in and steps to connect an assistant at `mcpUrl`. */
export function startView(mcpUrl: string): Markup {
  return markup`<section class="start">
      <div>
        <h1>Tell your assistant what you ate.</h1>
        <p class="lead">This journal works out the nutrition and keeps it: energy, macronutrients, water and
          weight, with averages and trends. You write in plain words, to Claude, ChatGPT or any assistant
          that speaks the Model Context Protocol.</p>
        <p class="actions">
          <a class="button" href="/sign-in">Sign in</a>
          <a class="button quiet" href="/sign-up">Create an account</a>
        </p>
      </div>
      <img src="${assetPath("start.svg")}" width="440" height="300"
        alt="“Two scrambled eggs and toast” told to an assistant becomes 348 kcal in the journal." />
    </section>
    ${howToConnect(mcpUrl)}
    <section class="card" aria-labelledby="scripts">
      <h2 id="scripts">For your own scripts and dashboards</h2>
      <p>An API key reads the same journal over REST: see <a href="/docs">the reference</a>, or
        <a href="/openapi.json">openapi.json</a>. Found a key in public?
        <a href="${LEAK_REPORT_ROUTE}">Report it</a>, and it ends at once.</p>
    </section>`;
}
