import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

import { LEAK_REPORT_PATH } from "../../routes/leak-report.ts";
import { REST_BASE } from "../../routes/rest-routes.ts";
import type { Chapter } from "../chapter.ts";
import { codeBlock, inLanguages } from "../code-block.ts";
import { readExamples } from "../examples.ts";
import { DOCS } from "../paths.ts";

/** The way to a first response, and how to authenticate. */
export function startChapter(baseUrl: string, hasOAuth: boolean): Chapter {
  return {
    path: DOCS.start,
    title: "Start",
    hasLanguages: true,
    introduction: markup`<p>
        A person keeps a food journal by telling an assistant what they ate. Programs read it over
        <a href="${DOCS.rest}">REST</a>; assistants read and write it with the
        <a href="${DOCS.assistants}">tools</a> of the Model Context Protocol.
      </p>
      <ul class="cards">
        <li><a href="#first-request">Read it from a program</a> in five minutes.</li>
        <li><a href="${DOCS.recipes}">Show it</a> in Home Assistant, Grafana or a spreadsheet.</li>
        <li><a href="${DOCS.assistants}">Connect an assistant</a> that logs food.</li>
      </ul>`,
    sections: [
      { id: "first-request", title: "Your first request", body: firstRequest(baseUrl) },
      { id: "authentication", title: "Authentication", body: authentication(baseUrl, hasOAuth) },
      { id: "report-leak", title: "Leaked keys", body: leakedKeys(baseUrl) },
      { id: "versions", title: "Versions", body: versions() },
    ],
  };
}

function firstRequest(baseUrl: string): Markup {
  return markup`<ol>
      <li>
        Create an API key under <a href="/settings/keys">${baseUrl}/settings/keys</a>. It is shown once. For
        reading, give it the permission <code>service.read</code> alone.
      </li>
      <li>Put it into the environment variable <code>API_KEY</code>, so that it does not end up in a file.</li>
      <li>Ask for today's totals:</li>
    </ol>
    ${inLanguages(readExamples(`${baseUrl}${REST_BASE}/nutrition/summary`))}
    <p>
      “Today” is the day in the person's own time zone, which the answer names. Energy is in kcal,
      sodium in milligrams, water in milliliters, everything else in grams.
    </p>`;
}

function authentication(baseUrl: string, hasOAuth: boolean): Markup {
  const oauth = hasOAuth
    ? markup`<p>
        Assistants sign in with OAuth 2.1 instead; they find everything at
        <a href="/.well-known/oauth-protected-resource"
          >${baseUrl}/.well-known/oauth-protected-resource</a
        >. The person chooses what an assistant may do when connecting it, and can change or revoke this under <a href="/settings/connections">${baseUrl}/settings/connections</a>. Connections need a premium
        or beta account.
      </p>`
    : markup`<p>OAuth sign-in is not set up in this installation.</p>`;
  return markup`<p>
      Send the key with every request. Keys look like <code>service_live_…</code>; treat them like
      passwords.
    </p>
    ${codeBlock("Authorization: Bearer $API_KEY", { label: "Header" })}
    <p>
      Clients that cannot set that header send <code>X-Service-API-Key: $API_KEY</code>. Reading
      needs the permission <code>service.read</code>; tools that write also need
      <code>nutrition.write</code> and a premium or beta account.
    </p>
    ${oauth}`;
}

function leakedKeys(baseUrl: string): Markup {
  const report = `{"key": "service_live_…", "found_at": "where"}`;
  const request = `curl -H "Content-Type: application/json" \\
  -d '${report}' \\
  ${baseUrl}${LEAK_REPORT_PATH}`;
  return markup`<p>
      Anybody can report a key that was found in public, without a credential. The key is refused
      everywhere within 5 seconds, and the answer is <code>{"revoked": true}</code>. For anything that is
      not an active key, it is <code>{"revoked": false}</code>.
    </p>
    ${codeBlock(request, { label: "curl" })}`;
}

function versions(): Markup {
  return markup`<p>
    The path contains the major version. Within a version, responses may gain fields and operations may
    gain optional inputs, so ignore fields that you do not know. Breaking changes get a new path.
    The <a href="${DOCS.changelog}">changelog</a> says what is new; <a href="/openapi.json">openapi.json</a>
    describes the interface for generators of clients.
  </p>`;
}
