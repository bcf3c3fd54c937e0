import { type Html, html } from '../../lib/http/html.ts'
import { type Operation, operations, type RefusalCode, refusals } from '../../payments-api/payments-api.ts'
import { fieldTable, prose, type Schema, type Schemas } from './field-rows.ts'

/** What of the OpenAPI document the page is made of. */
export interface Document {
  readonly info: { readonly version: string }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedCallback }>>
  readonly components: { readonly schemas: Schemas }
}

interface DocumentedOperation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> }
}

interface DocumentedCallback {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly description: string }>
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

/** The reference page: everything that is declared, in the order of the interface. */
export function renderDocs(document: Document, stylePath: string): Html {
  const declared: readonly Operation[] = Object.values(operations)
  const families = [...new Set(declared.map((operation) => operation.family))]
  const common = commonRefusals(declared)
  const callbacks = Object.values(document.webhooks).map(({ post }) => post)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Lightning payments · reference</title>
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Operations">
<p class="title">Lightning payments <small>${document.info.version}</small></p>
<a href="#basics">Basics</a>
${families.map((family) => html`<h2>${family}</h2><ul>${declared.filter((each) => each.family === family).map(({ name, summary }) => link(name, summary))}</ul>`)}
<h2>Callbacks</h2><ul>${callbacks.map(({ operationId, summary }) => link(operationId, summary))}</ul>
</nav>
<main id="content">
<h1>Lightning payments</h1>
<p>Send and receive Bitcoin over Lightning. The same as a document for programs: <a href="/openapi.json">openapi.json</a>.</p>
${basics(document, common)}
${declared.map((operation) => section(operation, document, common))}
${callbacks.map((callback) => callbackSection(callback, document.components.schemas))}
</main>
</body>
</html>`
}

function link(id: string, words: string): Html {
  return html`<li><a href="#${id}">${words}</a></li>`
}

function basics({ servers }: Document, common: ReadonlySet<RefusalCode>): Html {
  return html`<section id="basics">
<h2>Basics</h2>
<dl>
<dt>Address</dt><dd><code>${servers[0]?.url}</code></dd>
<dt>Who calls</dt><dd>Every request carries the header <code>apikey</code>. A key belongs to a project with a wallet, and may <code>read</code>, <code>receive</code> or <code>send</code>; each operation says which it needs.</dd>
<dt>Amounts</dt><dd>Strings of decimal digits in millisatoshis: <code>"21000"</code> is 21 sats. Never a number, a sign or a fraction.</dd>
<dt>Times</dt><dd>ISO 8601, UTC, with milliseconds.</dd>
<dt>Doing things once</dt><dd>Send an <code>Idempotency-Key</code> of your own with every POST. Sent again with the same key, the request is carried out once and the first answer comes again, with <code>Idempotency-Replayed: true</code>. For 30 days; a key that moved money is never used for anything else.</dd>
<dt>Callbacks</dt><dd>What happens later is POSTed to the <code>callbackUrl</code> that you gave, signed in the manner of Standard Webhooks (<code>webhook-id</code>, <code>webhook-timestamp</code>, <code>webhook-signature</code>), in order for each resource, and again until you answer 2xx, for three days.</dd>
<dt>Refusals</dt><dd>Always <code>{"success": false, "message": …, "code": …}</code>. The message is a sentence for a person, the code a stable name for programs. After a 503 with <code>nothing_sent</code> nothing happened; after any other 5xx ask what became of the first attempt before you make a second.</dd>
</dl>
${refusalTable('What any operation may answer', [...common])}
${refusalTable('What other addresses may answer', refusalsOfNoOperation())}
</section>`
}

function section(operation: Operation, document: Document, common: ReadonlySet<RefusalCode>): Html {
  const { name, verb, path, summary, description, scope, params, additive } = operation
  const { schemas } = document.components
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  const request = schemas[`${title}Request`]
  const own = operation.refusals.filter((code) => !common.has(code))
  return html`<section id="${name}" aria-labelledby="${name}-title">
<h2 id="${name}-title">${summary}${additive && html` <small>additive</small>`}</h2>
<p class="route"><b class="${verb.toLowerCase()}">${verb}</b> <code>${path}</code></p>
<p>${prose(description)} Needs a key that may <code>${scope}</code>.</p>
${fieldTable('Path', pathSchema(params.shape), schemas)}
${request && fieldTable('Body', request, schemas)}
${fieldTable('Answer', schemas[`${title}Response`] ?? {}, schemas)}
${own.length > 0 && refusalTable('Refusals of its own', own)}
<details><summary>Example</summary><pre><code>${example(operation, document)}</code></pre></details>
</section>`
}

/** What is sent to whoever gave a `callbackUrl`. */
function callbackSection(callback: DocumentedCallback, schemas: Schemas): Html {
  const { operationId, summary, description, parameters, requestBody } = callback
  const names = parameters.map(({ name }) => name)
  const headers: Schema = {
    properties: Object.fromEntries(parameters.map(({ name, description }) => [name, { type: 'string', description }])),
    required: names,
  }
  const { $ref = '' } = requestBody.content['application/json']?.schema ?? {}
  return html`<section id="${operationId}" aria-labelledby="${operationId}-title">
<h2 id="${operationId}-title">${summary}</h2>
<p class="route"><b class="post">POST</b> <code>callbackUrl</code></p>
<p>${prose(description)}</p>
${fieldTable('Headers', headers, schemas)}
${fieldTable('Body', schemas[$ref.replace(/^.*\//, '')] ?? {}, schemas)}
</section>`
}

function pathSchema(shape: Readonly<Record<string, { readonly description?: string | undefined }>>): Schema {
  const properties = Object.entries(shape).map(([name, { description = '' }]): [string, Schema] => [
    name,
    { type: 'string', description },
  ])
  return { properties: Object.fromEntries(properties), required: Object.keys(shape) }
}

function refusalTable(caption: string, codes: readonly RefusalCode[]): Html {
  const sorted = [...codes].sort((a, b) => refusals[a].status - refusals[b].status)
  return html`<div class="scroll"><table><caption>${caption}</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${sorted.map((code) => html`<tr><td>${refusals[code].status}</td><td><code>${code}</code></td><td>${refusals[code].meaning}</td></tr>`)}</tbody></table></div>`
}

/** Refusals that at least half of the operations share are said once. */
function commonRefusals(declared: readonly Operation[]): Set<RefusalCode> {
  const codes = new Set(declared.flatMap((operation) => operation.refusals))
  const uses = (code: RefusalCode) => declared.filter((operation) => operation.refusals.includes(code)).length
  return new Set([...codes].filter((code) => uses(code) * 2 >= declared.length))
}

/** Refusals of what is no operation: an address where nothing is, and those for whoever runs the service. */
function refusalsOfNoOperation(): RefusalCode[] {
  const declared = new Set<string>(Object.values<Operation>(operations).flatMap((operation) => operation.refusals))
  return (Object.keys(refusals) as RefusalCode[]).filter((code) => !declared.has(code))
}

/** A command line that makes the request, with a key that is none. */
function example({ verb, path }: Operation, { servers, paths }: Document): string {
  const body = paths[path]?.[verb.toLowerCase()]?.requestBody?.content['application/json']?.example
  const lines = [
    `curl ${verb === 'GET' ? '' : `-X ${verb} `}'${servers[0]?.url}${path}'`,
    `-H 'apikey: YOUR_API_KEY'`,
    ...(verb === 'POST' ? [`-H 'Idempotency-Key: YOUR_OWN_ID'`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`]),
  ]
  return lines.join(' \\\n  ')
}
