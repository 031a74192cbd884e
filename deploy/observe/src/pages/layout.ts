import type { Markup } from "@nutrition/core/markup";
import { markup } from "@nutrition/core/markup";

/** The document around a page. The content of `main` is refreshed while it is open. */
export function renderPage(title: string, body: Markup): Markup {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Nutrition journal, observed</title>
<link rel="stylesheet" href="/page.css">
<script type="module" src="/refresh.js"></script>
</head>
<body>
<header><a href="/">Nutrition journal, observed</a></header>
<main>${body}</main>
</body>
</html>
`;
}
