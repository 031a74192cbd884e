/**
 * The templates of the identity provider's mails, rendered as it renders them: with Go's html/template. That
 * package escapes each value for its place, and refuses a template whose branches are no whole elements, so that
 * every mail of its kind fails.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startIdentity } from "@nutrition/test-support/identity-provider";
import { describe, expect, test } from "vitest";

const FOLDER = new URL("../../deploy/identity-provider/mail-templates/", import.meta.url);
const TYPES = { confirmation: "signup", recovery: "recovery", invite: "invite" };
const SITE = "https://journal.example";
const TOKEN = "pkce_0123456789abcdef";
const templateOf = (name: string) => readFileSync(new URL(`${name}.html`, FOLDER), "utf8");

/** Addresses to return to: with and without a query, as mails from the provider's dashboard have none. */
const RETURNS = [
  SITE,
  `${SITE}/`,
  `${SITE}/oauth/callback`,
  `${SITE}/oauth/callback?state=confirm.a-b_c`,
  `${SITE}/oauth/callback?state=recover.x&more="&<b>#there`,
];

interface Values {
  readonly SiteURL: string;
  readonly TokenHash: string;
  readonly RedirectTo: string;
}

/** The link of a mail, which has no other. */
function linkIn(html: string): URL {
  const [[, href = ""] = [], ...others] = [...html.matchAll(/href="([^"]*)"/g)];
  expect(others).toEqual([]);
  return new URL(href.replaceAll("&amp;", "&"));
}

/** Renders values in the query of an address as html/template does. */
function render(template: string, values: Values): string {
  return template.replace(/\{\{ \.(\w+) \}\}/g, (_, name: keyof Values) =>
    name === "SiteURL" ? values.SiteURL : encodeURIComponent(values[name]),
  );
}

describe.each(Object.entries(TYPES))("the template %s", (name, type) => {
  const template = templateOf(name);

  test("has no branches, and its values are in the query of a link to the site", () => {
    const actions = [...template.matchAll(/\{\{(.*?)\}\}/gs)].map(([, action = ""]) =>
      action.trim(),
    );
    expect(actions).toEqual([".SiteURL", ".TokenHash", ".RedirectTo"]);
    expect(template).toMatch(/href="\{\{ \.SiteURL \}\}\/oauth\/callback\?[^"]*"/);
  });

  test.each(RETURNS)("leads to the site for mails that return to %s", (RedirectTo) => {
    const link = linkIn(render(template, { SiteURL: SITE, TokenHash: TOKEN, RedirectTo }));
    expect(link.origin + link.pathname).toBe(`${SITE}/oauth/callback`);
    const expected = { token_hash: TOKEN, type, redirect_to: RedirectTo };
    expect(Object.fromEntries(link.searchParams)).toEqual(expected);
  });
});

test("the development provider's links are those of the templates", async () => {
  const config = { host: "127.0.0.1", port: 0, siteUrl: SITE, allowedRedirects: [], users: [] };
  await using identity = await startIdentity({ ...config, mailLinksTo: "site" });
  const RedirectTo = `${SITE}/oauth/callback?state=confirm.x`;
  const query = new URLSearchParams({ redirect_to: RedirectTo });
  const body = JSON.stringify({ email: "new@example.com", password: "a long password" });
  await fetch(`${identity.issuer}/signup?${query.toString()}`, { method: "POST", body });
  const link = new URL(identity.inbox[0]?.link ?? "");
  const TokenHash = link.searchParams.get("token_hash") ?? "";
  const rendered = render(templateOf("confirmation"), { SiteURL: SITE, TokenHash, RedirectTo });
  expect(link.href).toBe(linkIn(rendered).href);
});

/** Renders each template with each values of the input, as JSON. */
const PROGRAM = `package main

import (
	"encoding/json"
	"html/template"
	"os"
	"strings"
)

func main() {
	var input struct {
		Templates []string
		Values    []map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&input); err != nil {
		panic(err)
	}
	output := [][]string{}
	for _, text := range input.Templates {
		parsed := template.Must(template.New("").Parse(text))
		rendered := []string{}
		for _, values := range input.Values {
			var html strings.Builder
			if err := parsed.Execute(&html, values); err != nil {
				panic(err)
			}
			rendered = append(rendered, html.String())
		}
		output = append(output, rendered)
	}
	json.NewEncoder(os.Stdout).Encode(output)
}
`;

/** Whether the Go toolchain is missing; says so. */
function isWithoutGo(): boolean {
  if (process.env["CI"] === "true" || spawnSync("go", ["version"]).status === 0) return false;
  console.warn(
    "\n*** go is not installed: the test that renders mails with it is SKIPPED. ***\n" +
      "*** On Debian: apt-get install golang-go                               ***\n",
  );
  return true;
}

test.skipIf(isWithoutGo())("Go renders the same links", () => {
  const folder = mkdtempSync(join(tmpdir(), "mail-templates-"));
  try {
    writeFileSync(join(folder, "main.go"), PROGRAM);
    const Values = RETURNS.map((RedirectTo) => ({ SiteURL: SITE, TokenHash: TOKEN, RedirectTo }));
    const Templates = Object.keys(TYPES).map(templateOf);
    const input = JSON.stringify({ Templates, Values });
    const { status, stdout, stderr } = spawnSync("go", ["run", "main.go"], {
      cwd: folder,
      input,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    const links = (JSON.parse(stdout) as string[][]).map((rendered) =>
      rendered.map((html) => linkIn(html).searchParams.toString()),
    );
    const expected = Templates.map((template) =>
      Values.map((values) => linkIn(render(template, values)).searchParams.toString()),
    );
    expect(links).toEqual(expected);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
