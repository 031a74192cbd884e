import type { Language } from "./code-block.ts";

/** A request for JSON with a key from the environment variable `API_KEY`, in every language. */
export function readExamples(url: string): Readonly<Record<Language, string>> {
  return {
    curl: `curl -H "Authorization: Bearer $API_KEY" \\
  "${url}"`,
    javascript: `const response = await fetch("${url}", {
  headers: { Authorization: \`Bearer \${process.env.API_KEY}\` },
});
const body = await response.json();
if (!response.ok) throw new Error(\`\${body.error}: \${body.message}\`);
console.log(body);`,
    python: `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    headers={"Authorization": "Bearer " + os.environ["API_KEY"]},
)
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2))`,
  };
}

/** Code that reads any number of days, newest first, in requests of at most `daysMax` days. */
export function rangeExamples(
  url: string,
  daysMax: number,
): Record<"javascript" | "python", string> {
  return {
    javascript: `async function entriesBetween(first, last) {
  const entries = [];
  for (let end = last; end >= first; ) {
    const query = new URLSearchParams({ start_date: first, end_date: end, limit: "${daysMax}" });
    const response = await fetch(\`${url}?\${query}\`, {
      headers: { Authorization: \`Bearer \${process.env.API_KEY}\` },
    });
    if (response.status === 429 || response.status === 503) {
      const seconds = Number(response.headers.get("Retry-After") ?? 60);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      continue;
    }
    const page = await response.json();
    if (!response.ok) throw new Error(\`\${page.error}: \${page.message}\`);
    entries.push(...page.entries);
    if (page.entries.length < page.limit) break;
    end = dayBefore(page.entries.at(-1).date);
  }
  return entries;
}

function dayBefore(date) {
  return new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
}

const entries = await entriesBetween("2026-01-01", "2026-12-31");
console.log(entries.map(({ date, totals }) => \`\${date} \${totals.calories}\`).join("\\n"));`,
    python: `import datetime, json, os, time, urllib.error, urllib.parse, urllib.request

def page_of_entries(first, last):
    query = urllib.parse.urlencode({"start_date": first, "end_date": last, "limit": ${daysMax}})
    request = urllib.request.Request(
        "${url}?" + query,
        headers={"Authorization": "Bearer " + os.environ["API_KEY"]},
    )
    while True:
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                raise
            time.sleep(int(error.headers.get("Retry-After", 60)))

def entries_between(first, last):
    while last >= first:
        page = page_of_entries(first, last)
        yield from page["entries"]
        if len(page["entries"]) < page["limit"]:
            return
        oldest = datetime.date.fromisoformat(page["entries"][-1]["date"])
        last = oldest - datetime.timedelta(days=1)

for entry in entries_between(datetime.date(2026, 1, 1), datetime.date(2026, 12, 31)):
    print(entry["date"], entry["totals"]["calories"])`,
  };
}
