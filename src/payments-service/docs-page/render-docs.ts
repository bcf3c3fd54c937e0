import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import { pageFrame } from '../../lib/web/page-frame.ts'
import { eventStream, logInEndpoints, type Operation, operations } from '../../payments-api/payments-api.ts'
import type { Document, DocumentedCallback } from './document.ts'
import { firstCharge } from './first-charge.ts'
import {
  callbackSection,
  commonRefusals,
  errorTable,
  logInSection,
  operationSection,
  refusalsOfNoOperation,
  streamSection,
} from './operation-section.ts'
import { search } from './search.ts'

const WEBHOOKS = 'webhooks'
const ROOT = '/docs'
const FIRST = { path: '/docs/first-charge', title: 'First charge in five minutes' } as const

/** A page of the reference: its path and its title. */
export interface DocsPage {
  readonly path: string
  readonly title: string
}

/**
 * The reference: an overview, a page on the first charge, a page for each group of operations, a page for webhooks, and
 * a search over the operations and webhooks.
 */
export class Reference {
  readonly #document: Document
  readonly #style: string
  readonly #script: string
  readonly #operations: readonly Operation[] = Object.values(operations)

  constructor(document: Document, stylePath: string, scriptPath: string) {
    this.#document = document
    this.#script = scriptPath
    this.#style = stylePath
  }

  /** Returns the pages by path. The overview has the path `/docs`. */
  pages(): ReadonlyMap<string, Html> {
    const common = commonRefusals()
    const groups = this.#groups().map(
      (group) =>
        [
          pathOf(group),
          this.#frame(
            group,
            [
              ...logInOf(group).map((each) => logInSection(each, this.#document)),
              ...this.#of(group).map((each) => operationSection(each, this.#document, common)),
            ],
            pathOf(group),
          ),
        ] as const,
    )
    const webhooks = this.#callbacks().map((each) => callbackSection(each, this.#document.components.schemas))
    const stream = streamSection(this.#document, common)
    return new Map([
      [FIRST.path, this.#frame(FIRST.title, firstCharge(this.#document.servers[0]?.url ?? ''), FIRST.path)],
      [ROOT, this.#frame('Lightning payments', overview(this.#document), ROOT)],
      ...groups,
      [pathOf(WEBHOOKS), this.#frame('Webhooks', [webhookWords(), ...webhooks, stream], pathOf(WEBHOOKS))],
    ])
  }

  /** Builds the page with the results of a search. */
  found(query: string): Html {
    const entries = [
      ...this.#operations.map((each) => ({
        path: `${pathOf(each.family)}#${each.name}`,
        title: each.summary,
        kind: `${each.verb} ${each.path}`,
        text: wordsOf(operationSection(each, this.#document, new Set())),
      })),
      ...logInEndpoints.map((each) => ({
        path: `${pathOf(each.family)}#${each.name}`,
        title: each.summary,
        kind: `${each.verb} ${each.path}`,
        text: wordsOf(logInSection(each, this.#document)),
      })),
      ...this.#callbacks().map(({ operationId, summary, description }) => ({
        path: `${pathOf(WEBHOOKS)}#${operationId}`,
        title: summary,
        kind: 'Webhook',
        text: `${operationId} ${description}`,
      })),
      {
        path: `${pathOf(WEBHOOKS)}#${eventStream.name}`,
        title: eventStream.summary,
        kind: `${eventStream.verb} ${eventStream.path}`,
        text: wordsOf(streamSection(this.#document, new Set())),
      },
    ]
    const hits = search(query, entries, this.#operations, pathOf)
    const list = html`<ul class="found">${hits.map(
      ({ path, title, kind }) => html`<li><a href="${path}">${title}</a> <small>${kind}</small></li>`,
    )}</ul>`
    const none = html`<p>Nothing fits these words. Try one of them alone, or a name such as <code>paymentHash</code>.</p>`
    return this.#frame(`Search: ${query}`, hits.length === 0 ? none : list, undefined, query)
  }

  #groups(): string[] {
    return [...new Set(this.#operations.map(({ family }) => family))]
  }

  #of(family: string): Operation[] {
    return this.#operations.filter((operation) => operation.family === family)
  }

  #callbacks(): DocumentedCallback[] {
    return Object.values(this.#document.webhooks).map(({ post }) => post)
  }

  #frame(title: string, content: HtmlPart, here: string | undefined, query = ''): Html {
    const linkTo = (path: string, words: string) =>
      html`<li><a href="${path}"${path === here && html` aria-current="page"`}>${words}</a></li>`
    const group = (path: string, name: string, items: readonly Html[]) =>
      html`<h2><a href="${path}"${path === here && html` aria-current="page"`}>${name}</a></h2><ul>${items}</ul>`
    const body = html`<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Reference">
<p class="title"><a href="/">Lightning payments</a> <small>${this.#document.info.version}</small></p>
<form action="${ROOT}/search" role="search"><input type="search" name="q" value="${query}" aria-label="Search the reference" placeholder="Search"><button>Search</button></form>
${group(FIRST.path, FIRST.title, [])}
${group(
  ROOT,
  'Overview',
  SECTIONS.map(([id, words]) => linkTo(`${ROOT}#${id}`, words)),
)}
${this.#groups().map((family) =>
  group(
    pathOf(family),
    family,
    [...logInOf(family), ...this.#of(family)].map(({ name, summary }) => linkTo(`${pathOf(family)}#${name}`, summary)),
  ),
)}
${group(pathOf(WEBHOOKS), 'Webhooks', [
  ...this.#callbacks().map(({ operationId, summary }) => linkTo(`${pathOf(WEBHOOKS)}#${operationId}`, summary)),
  linkTo(`${pathOf(WEBHOOKS)}#${eventStream.name}`, eventStream.summary),
])}
</nav>
<main id="content">
<h1>${title}</h1>
${content}
</main>`
    const shown = title === 'Lightning payments' ? title : `${title} · Lightning payments`
    return pageFrame(
      {
        title: shown,
        hidden: false,
        head: html`<link rel="stylesheet" href="${this.#style}"><script type="module" src="${this.#script}"></script>`,
      },
      body,
    )
  }
}

/** Returns the log-in addresses of a group, which are described in addition to the group's operations. */
function logInOf(group: string) {
  return logInEndpoints.filter(({ family }) => family === group)
}

/** Returns the words in a part of a page, including the names of fields. */
function wordsOf({ text }: Html): string {
  return text.replace(/<[^>]*>/g, ' ')
}

/** Returns the path of a group's page, such as `/docs/static-charges` for `Static Charges`. */
function pathOf(group: string): string {
  return `${ROOT}/${group.toLowerCase().replaceAll(' ', '-')}`
}

const SECTIONS = [
  ['authentication', 'Authentication'],
  ['amounts', 'Amounts and times'],
  ['errors', 'Errors'],
  ['idempotency', 'Idempotency'],
  ['pagination', 'Pagination'],
  ['webhooks', 'Webhooks'],
] as const

function overview({ servers }: Document): Html {
  const words: Readonly<Record<(typeof SECTIONS)[number][0], HtmlPart>> = {
    authentication: html`<p>Every request carries the header <code>apikey</code>. A key belongs to a project with a wallet, and may
<code>read</code>, <code>receive</code> or <code>send</code>; each operation says which it needs.</p>
<p>All paths begin with <code>${servers[0]?.url}</code>.</p>`,
    amounts: html`<p>Amounts are strings of decimal digits in millisatoshis: <code>"21000"</code> is 21 sats. Never a number, a sign or
a fraction. Times are ISO 8601, UTC, with milliseconds.</p>`,
    errors: html`<p>Always <code>{"success": false, "message": …, "code": …}</code>. The message is a sentence for a person, the code a
stable name for programs. After a 503 with <code>nothing_sent</code> nothing happened. After any other 5xx, ask what became of the first
attempt before you make a second.</p>
${errorTable('What any operation may answer', [...commonRefusals()])}
${errorTable('What other addresses may answer', refusalsOfNoOperation())}`,
    idempotency: html`<p>Send an <code>Idempotency-Key</code> of your own with every POST. Sent again with the same key, the request is
carried out once and the first answer comes again, with <code>Idempotency-Replayed: true</code>. An answer is kept for 30 days; a key that
moved money is never used for anything else.</p>`,
    pagination: html`<p>Two operations answer by pages. The path of <a href="${pathOf('Static Charges')}#listStaticChargePayments">the payments
of a static charge</a> ends with the last slot that you know, <code>0</code> for none: ask again with the last slot of the answer, until a page
is empty. <a href="${pathOf('Users and wallet')}#listTransactions">The bookings of the wallet</a> come with a <code>next</code>: send it as
<code>after</code>, until it is null.</p>`,
    webhooks: webhookWords(),
  }
  return html`<p>Send and receive Bitcoin over Lightning. Begin with your <a href="${FIRST.path}">first charge in five minutes</a>.
The same as a document for programs: <a href="/openapi.json">openapi.json</a>; as text: each page with <code>.md</code> behind its address, and
<a href="/llms.txt">llms.txt</a>. What is marked <em>additive</em> goes beyond the common interface: other providers of it may not have it.</p>
${SECTIONS.map(([id, title]) => html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${words[id]}</section>`)}`
}

function webhookWords(): Html {
  return html`<p>What happens later is POSTed to the <code>callbackUrl</code> that you gave, signed in the manner of Standard Webhooks
(<code>webhook-id</code>, <code>webhook-timestamp</code>, <code>webhook-signature</code>), in order for each resource, and again until you
answer 2xx, for three days. <a href="${pathOf(WEBHOOKS)}">Each webhook</a>. A program without an address of its own reads the same as a
<a href="${pathOf(WEBHOOKS)}#${eventStream.name}">stream of events</a>.</p>`
}
