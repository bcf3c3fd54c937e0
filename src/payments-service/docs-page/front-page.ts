import { type Html, html } from '../../lib/http/html.ts'

const LINKS = [
  ['/wallet', 'Open my wallet', 'You need a personal sign-in link, which works once.'],
  ['/docs', 'Reference for programs', 'Operations, errors, webhooks, and a search over all of them.'],
  ['/openapi.json', 'openapi.json', 'The same as an OpenAPI document.'],
  ['/ready', 'Is it up?', 'Whether the service and its Lightning node can serve now.'],
] as const

/** What somebody sees who opens the service's address in a browser: where to go from here. */
export function frontPage(stylePath: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Lightning payments</title>
<link rel="stylesheet" href="${stylePath}">
</head>
<body class="front">
<main id="content">
<h1>Lightning payments</h1>
<p>This service sends and receives Bitcoin over Lightning, for a Discord bot and for people.</p>
<ul class="ways">${LINKS.map(([path, title, words]) => html`<li><a href="${path}"><b>${title}</b><span>${words}</span></a></li>`)}</ul>
</main>
</body>
</html>`
}
