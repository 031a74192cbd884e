import { runInNewContext } from "node:vm";

import { DOCS } from "@nutrition/gateway/docs/paths";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

import { System } from "../e2e/system.ts";
import type { Example } from "./site.ts";
import { PLACEHOLDER, readExamples, readJson } from "./site.ts";

const KEY_REQUESTS_AN_HOUR = 120;

describe("the recipes of the documentation, with the demo's journal", () => {
  let system: System;
  let key: string;
  let examples: Example[];
  beforeAll(async () => {
    system = await System.start();
    key = (await system.demo()).api_key;
    examples = await readExamples(system);
  }, 90_000);
  afterAll(() => system[Symbol.asyncDispose]());

  const only = (label: string) => {
    const found = examples.filter((one) => one.label === label);
    expect(found, label).toHaveLength(1);
    return found[0]?.code ?? "";
  };
  const read = (url: string, authorization = `Bearer ${key}`) => readJson(url, authorization);

  it("Home Assistant reads what the sensors show, well within the limit", async () => {
    const secrets = parse(only("secrets.yaml")) as Record<string, string>;
    const secret = {
      tag: "!secret",
      resolve: (name: string) => secrets[name]?.replace(PLACEHOLDER, key),
    };
    const { rest } = parse(only("configuration.yaml"), { customTags: [secret] }) as {
      rest: {
        resource: string;
        scan_interval: number;
        headers: { Authorization: string };
        sensor: { value_template: string }[];
      }[];
    };
    const [entry] = rest;
    expect(3_600 / (entry?.scan_interval ?? 1)).toBeLessThan(KEY_REQUESTS_AN_HOUR / 4);
    const answer = await read(entry?.resource ?? "", entry?.headers.Authorization);
    expect(entry?.sensor).toHaveLength(3);
    for (const { value_template: template } of entry?.sensor ?? []) {
      const [, path = ""] = /^\{\{ value_json\.([\w.]+) \| round\(0\) \}\}$/.exec(template) ?? [];
      expect(valueAt(answer, path), template).toBeTypeOf("number");
    }
  });

  it("Grafana asks for the days of the dashboard with the provisioned key", async () => {
    const { datasources } = parse(only("provisioning/datasources/nutrition.yaml")) as {
      datasources: {
        uid: string;
        jsonData: { allowedHosts: string[] };
        secureJsonData: { bearerToken: string };
      }[];
    };
    const [source] = datasources;
    const { targets } = JSON.parse(only("Panel JSON")) as {
      targets: {
        datasource: { uid: string };
        url: string;
        url_options: { params: { key: string; value: string }[] };
        root_selector: string;
        columns: { selector: string; type: string }[];
      }[];
    };
    const [target] = targets;
    expect(target?.datasource.uid).toBe(source?.uid);
    expect(source?.jsonData.allowedHosts).toEqual([new URL(target?.url ?? "").origin]);
    const today = new Date();
    const macros: Record<string, string> = {
      "${__from:date:YYYY-MM-DD}": new Date(today.getTime() - 30 * 86_400_000)
        .toISOString()
        .slice(0, 10),
      "${__to:date:YYYY-MM-DD}": today.toISOString().slice(0, 10),
    };
    const query = new URLSearchParams();
    for (const { key: name, value } of target?.url_options.params ?? []) {
      query.set(name, macros[value] ?? value);
    }
    const token = source?.secureJsonData.bearerToken.replace("$API_KEY", key);
    const answer = await read(`${target?.url}?${query}`, `Bearer ${token}`);
    const rows = valueAt(answer, target?.root_selector ?? "") as unknown[];
    expect(rows.length).toBeGreaterThan(20);
    const types = target?.columns.map(({ selector }) => typeof valueAt(rows[0], selector));
    expect(types).toEqual(["string", "number"]);
  });

  it("Excel reads a table of days", async () => {
    const code = only("Power Query");
    const [, url = ""] = /Web\.Contents\("([^"]+)"/.exec(code) ?? [];
    const [, limit = ""] = /Query = \[limit = "(\d+)"\]/.exec(code) ?? [];
    const [, header = ""] = /Authorization = "([^"]+)"/.exec(code) ?? [];
    const answer = await read(`${url}?limit=${limit}`, header.replace(PLACEHOLDER, key));
    const { entries } = answer as { entries: { totals: object }[] };
    const columns = /"totals", \{([^}]+)\}/.exec(code)?.[1]?.match(/\w+/g);
    expect(columns).toEqual(Object.keys(entries[0]?.totals ?? {}));
    const { body } = await system.get(DOCS.recipes);
    const [address = ""] = /http[^<]+food-entries\?limit=90/.exec(String(body)) ?? [];
    expect(await read(address)).toEqual(answer);
  });

  it("Google Sheets fills a sheet with the days", async () => {
    const fetched = await read(`${system.baseUrl}/api/v1/food-entries?limit=90`);
    let table: unknown[][] = [];
    const asked: unknown[] = [];
    const sheet = {
      clearContents: () => undefined,
      getRange: (..._range: number[]) => ({ setValues: (values: unknown[][]) => (table = values) }),
    };
    runInNewContext(`${only("Code.gs")}\nrefreshJournal();`, {
      PropertiesService: { getScriptProperties: () => ({ getProperty: () => key }) },
      UrlFetchApp: {
        fetch: (...args: unknown[]) => {
          asked.push(...args);
          return { getContentText: () => JSON.stringify(fetched) };
        },
      },
      SpreadsheetApp: {
        getActiveSpreadsheet: () => ({ getSheetByName: () => null, insertSheet: () => sheet }),
      },
    });
    const [url, { headers }] = asked as [string, { headers: { Authorization: string } }];
    expect(await read(url, headers.Authorization)).toEqual(fetched);
    const { entries } = fetched as { entries: unknown[] };
    expect(table).toHaveLength(entries.length + 1);
    expect(table[0]?.slice(0, 3)).toEqual(["date", "calories", "protein"]);
    expect(table[1]?.[1]).toBeTypeOf("number");
  });
});

/** The value at a path with dots. */
function valueAt(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], value);
}
