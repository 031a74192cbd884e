import { DAILY_AMOUNTS } from "@nutrition/core/nutrients";

/** Seconds between two requests, well within the limit of a key. */
const POLLING_SECONDS = 300;

const HOME_ASSISTANT_SENSORS = [
  { name: "Energy eaten today", key: "calories", unit: "kcal" },
  { name: "Protein eaten today", key: "protein", unit: "g" },
  { name: "Water drunk today", key: "water_milliliters", unit: "mL" },
];

/** Entry of `configuration.yaml`. */
export function homeAssistant(restUrl: string): string {
  const sensors = HOME_ASSISTANT_SENSORS.map(
    ({ name, key, unit }) => `      - name: ${name}
        unique_id: nutrition_journal_${key}
        value_template: "{{ value_json.totals.${key} | round(0) }}"
        unit_of_measurement: ${unit}`,
  );
  return `rest:
  - resource: ${restUrl}/nutrition/summary
    scan_interval: ${POLLING_SECONDS}
    headers:
      Authorization: !secret nutrition_journal
    sensor:
${sensors.join("\n")}`;
}

const GRAFANA_SOURCE = { type: "yesoreyeram-infinity-datasource", uid: "nutrition-journal" };

/** Provisions the data source with the key in the variable `API_KEY`. */
export function grafanaSource(restUrl: string): string {
  return `apiVersion: 1
datasources:
  - name: Nutrition Journal
    type: ${GRAFANA_SOURCE.type}
    uid: ${GRAFANA_SOURCE.uid}
    jsonData:
      auth_method: bearerToken
      allowedHosts:
        - ${new URL(restUrl).origin}
    secureJsonData:
      bearerToken: $API_KEY`;
}

/** Energy by day over the time range of the dashboard. */
export function energyPanel(restUrl: string): object {
  const params = Object.entries({
    start_date: "${__from:date:YYYY-MM-DD}",
    end_date: "${__to:date:YYYY-MM-DD}",
    limit: "90",
  });
  return {
    title: "Energy by day",
    type: "timeseries",
    datasource: GRAFANA_SOURCE,
    targets: [
      {
        refId: "A",
        datasource: GRAFANA_SOURCE,
        type: "json",
        source: "url",
        parser: "backend",
        format: "timeseries",
        url: `${restUrl}/food-entries`,
        url_options: { method: "GET", params: params.map(([key, value]) => ({ key, value })) },
        root_selector: "entries",
        columns: [
          { selector: "date", text: "Date", type: "timestamp" },
          { selector: "totals.calories", text: "Energy", type: "number" },
        ],
      },
    ],
    fieldConfig: {
      defaults: { unit: "suffix: kcal", custom: { drawStyle: "bars", fillOpacity: 60 } },
      overrides: [],
    },
  };
}

const KEYS = DAILY_AMOUNTS.map(({ key }) => key);

/** A table of days for Excel's Power Query. */
export function excelQuery(restUrl: string): string {
  const keys = KEYS.map((key) => `"${key}"`).join(", ");
  return `let
  Answer = Json.Document(Web.Contents("${restUrl}/food-entries", [
    Query = [limit = "90"],
    Headers = [Authorization = "Bearer service_live_…"]
  ])),
  Days = Table.FromRecords(Answer[entries], {"date", "totals"}),
  Totals = Table.ExpandRecordColumn(Days, "totals", {${keys}}),
  Dated = Table.TransformColumnTypes(Totals, {{"date", type date}})
in
  Dated`;
}

/** A script of Google Sheets that writes a table of days. */
export function sheetScript(restUrl: string): string {
  const names = KEYS.map((key) => `"${key}"`).join(", ");
  return `const AMOUNTS = [${names}];

function refreshJournal() {
  const key = PropertiesService.getScriptProperties().getProperty("API_KEY");
  const response = UrlFetchApp.fetch("${restUrl}/food-entries?limit=90", {
    headers: { Authorization: "Bearer " + key },
  });
  const { entries } = JSON.parse(response.getContentText());
  const rows = entries.map(({ date, totals }) => [date, ...AMOUNTS.map((name) => totals[name])]);
  const book = SpreadsheetApp.getActiveSpreadsheet();
  const sheet = book.getSheetByName("Journal") ?? book.insertSheet("Journal");
  const table = [["date", ...AMOUNTS], ...rows];
  sheet.clearContents();
  sheet.getRange(1, 1, table.length, table[0].length).setValues(table);
}`;
}
