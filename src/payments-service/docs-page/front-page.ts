import { type Html, html } from '../../lib/web/html.ts'
import { pageFrame } from '../../lib/web/page-frame.ts'

const LINKS = [
  ['/wallet', 'Open my wallet', 'The command /wallet on Discord gives you a sign-in link, which works once.'],
  ['/docs', 'Reference for programs', 'Operations, errors, webhooks, and a search over all of them.'],
  ['/openapi.json', 'openapi.json', 'The same as an OpenAPI document.'],
  ['/ready', 'Is it up?', 'Whether the service and its Lightning node can serve now, as JSON.'],
] as const

/** Builds the front page for browsers: whose service it is, and where to go next. */
export function frontPage(stylePath: string, community: string): Html {
  return page(
    stylePath,
    `${community}: Lightning payments`,
    'This service sends and receives Bitcoin over Lightning, for a Discord bot and for people.',
  )
}

/** Builds the page for an unknown path, with the same links. Does not repeat the path, which may contain a secret. */
export function nothingHere(stylePath: string): Html {
  return page(
    stylePath,
    'Nothing here',
    'There is no page at this address. Perhaps a link was cut off. You can go on from here:',
  )
}

function page(stylePath: string, title: string, words: string): Html {
  const body = html`<main id="content">
<h1>${title}</h1>
<p>${words}</p>
<ul class="ways">${LINKS.map(([path, name, about]) => html`<li><a href="${path}"><b>${name}</b><span>${about}</span></a></li>`)}</ul>
</main>`
  const head = html`<link rel="stylesheet" href="${stylePath}">`
  return pageFrame({ title, hidden: false, head, bodyClass: 'front' }, body)
}
