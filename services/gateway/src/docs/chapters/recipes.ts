import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { REST_BASE } from "../../routes/rest-routes.ts";
import type { Chapter } from "../chapter.ts";
import { codeBlock, jsonBlock } from "../code-block.ts";
import { DOCS } from "../paths.ts";
import {
  energyPanel,
  excelQuery,
  grafanaSource,
  homeAssistant,
  sheetScript,
} from "./recipe-code.ts";

/** Recipes for using the journal in other programs. */
export function recipesChapter(baseUrl: string): Chapter {
  const restUrl = baseUrl + REST_BASE;
  return {
    path: DOCS.recipes,
    title: "Recipes",
    introduction: markup`<p>
      Each recipe takes an API key with the permission <code>service.read</code> alone, from
      <a href="/settings/keys">${baseUrl}/settings/keys</a>. Use a key for each program: you then see how many requests each makes, and can revoke one without affecting the others.
    </p>`,
    sections: [
      { id: "home-assistant", title: "Home Assistant", body: homeAssistantBody(restUrl) },
      { id: "grafana", title: "Grafana", body: grafanaBody(restUrl) },
      { id: "excel", title: "Excel", body: excelBody(restUrl) },
      { id: "google-sheets", title: "Google Sheets", body: sheetsBody(restUrl) },
    ],
  };
}

function homeAssistantBody(restUrl: string): Markup {
  const secret = `nutrition_journal: "Bearer service_live_…"`;
  return markup`<p>One request serves all sensors of an entry. Put the key into <code>secrets.yaml</code>:</p>
    ${codeBlock(secret, { label: "secrets.yaml" })}
    <p>Then add the sensors, check the configuration and restart Home Assistant:</p>
    ${codeBlock(homeAssistant(restUrl), { label: "configuration.yaml" })}
    <p>
      Keep <code>scan_interval</code>: Home Assistant's default of 30 seconds makes 120 requests an hour,
      which uses up the default <a href="${DOCS.limits}">limit</a> of a key. Without <code>date</code>, the
      sensors switch to the new day by themselves.
    </p>`;
}

function grafanaBody(restUrl: string): Markup {
  return markup`<ol>
      <li>Install the data source <em>Infinity</em> (<code>yesoreyeram-infinity-datasource</code>).</li>
      <li>
        Provision it with the key in the environment of Grafana, or enter the same in its settings:
        authentication <em>Bearer token</em>, and this address as an allowed host.
      </li>
    </ol>
    ${codeBlock(grafanaSource(restUrl), { label: "provisioning/datasources/nutrition.yaml" })}
    <ol start="3">
      <li>Add a panel, open its JSON (<em>Inspect, Panel JSON</em>), paste this and apply:</li>
    </ol>
    ${jsonBlock(energyPanel(restUrl), "Panel JSON")}
    <p>
      The panel asks for the days of the dashboard's time range, at most 90. Let the dashboard refresh
      every five minutes or less often. Other figures are further columns, such as
      <code>totals.protein</code>.
    </p>`;
}

function excelBody(restUrl: string): Markup {
  return markup`<p>No script is needed:</p>
    <ol>
      <li><em>Data, Get Data, From Other Sources, From Web</em>, then <em>Advanced</em>.</li>
      <li>Address: <code>${restUrl}/food-entries?limit=90</code></li>
      <li>
        Request header: <code>Authorization</code> with the value <code>Bearer service_live_…</code>. When
        Excel asks how to sign in, choose <em>Anonymous</em>, as the header signs in.
      </li>
      <li>
        In the editor, click the list <em>entries</em>, then <em>To Table</em>, and expand
        <em>Column1</em> and <em>totals</em>.
      </li>
    </ol>
    <p>Or paste the finished query into <em>Get Data, Blank Query, Advanced Editor</em>:</p>
    ${codeBlock(excelQuery(restUrl), { label: "Power Query" })}
    <p>
      <em>Refresh All</em> reads it again. The key is stored in the workbook: share the file only with people who may read your journal. For a file without a key, use
      the CSV download under <a href="/settings/export">/settings/export</a>.
    </p>`;
}

function sheetsBody(restUrl: string): Markup {
  return markup`<p>
      The functions of Google Sheets cannot send a header, so this takes a short script. Without one,
      import the CSV download of <a href="/settings/export">/settings/export</a>. Google calls from its own
      servers: the address has to be public.
    </p>
    <ol>
      <li><em>Extensions, Apps Script</em>; paste the function below and save.</li>
      <li><em>Project Settings, Script Properties</em>: add <code>API_KEY</code> with your key.</li>
      <li>
        Run <code>refreshJournal</code> once and allow what it asks for; it fills the sheet
        <em>Journal</em>.
      </li>
      <li><em>Triggers, Add Trigger</em>: run it every day, or every hour at most.</li>
    </ol>
    ${codeBlock(sheetScript(restUrl), { label: "Code.gs" })}`;
}
