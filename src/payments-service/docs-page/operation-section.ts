import { type Html, html, withCode } from '../../lib/web/html.ts'
import {
  eventStream,
  type LogInEndpoint,
  logInErrors,
  type Operation,
  operations,
  type RefusalCode,
  refusals,
} from '../../payments-api/payments-api.ts'
import type { Document, DocumentedCallback, Parameter } from './document.ts'
import { fieldTable, type Schema, type Schemas } from './field-rows.ts'

/** Builds one operation's section: what it does, its fields, its errors, and a command line to try it. */
export function operationSection(operation: Operation, document: Document, common: ReadonlySet<RefusalCode>): Html {
  const { name, verb, path, summary, description, scope, additive } = operation
  const { schemas } = document.components
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  const request = schemas[`${title}Request`]
  const own = operation.refusals.filter((code) => !common.has(code))
  return html`<section id="${name}" aria-labelledby="${name}-title">
<h2 id="${name}-title">${summary}${additive && html` <small>additive</small>`}</h2>
<p class="route"><b class="${verb.toLowerCase()}">${verb}</b> <code>${path}</code></p>
<p>${withCode(withoutMark(description))} Needs a key that may <code>${scope}</code>.</p>
${parameterTables(document.paths[path]?.[verb.toLowerCase()]?.parameters, schemas)}
${request && fieldTable('Body', request, schemas)}
${fieldTable('Response', schemas[`${title}Response`] ?? {}, schemas)}
${own.length > 0 && errorTable('Errors', own)}
<details><summary>Example</summary><pre><code>${example(operation, document)}</code></pre></details>
</section>`
}

/** Removes from a description what the section's heading already says. */
function withoutMark(description: string): string {
  return description.replace(/^Additive\. /, '')
}

/** Builds the section of a log-in address that is not an operation: its fields, and its errors in OAuth 2's terms. */
export function logInSection(endpoint: LogInEndpoint, { paths, components: { schemas } }: Document): Html {
  const { name, verb, path, summary, description, answer, errors } = endpoint
  const rows = errors.map(
    (error) => html`<tr><td><code>${error}</code></td><td>${withCode(logInErrors[error].meaning)}</td></tr>`,
  )
  return html`<section id="${name}" aria-labelledby="${name}-title">
<h2 id="${name}-title">${summary} <small>additive</small></h2>
<p class="route"><b class="${verb.toLowerCase()}">${verb}</b> <code>${path}</code></p>
<p>${withCode(withoutMark(description))} Needs no API key.</p>
${verb === 'GET' ? parameterTables(paths[path]?.get?.parameters, schemas) : fieldTable('Body', schemas.RequestTokenRequest ?? {}, schemas)}
${answer && fieldTable('Response', schemas.RequestTokenResponse ?? {}, schemas)}
<div class="scroll"><table><caption>Errors</caption>
<thead><tr><th scope="col">Error</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>
</section>`
}

/** Builds the section on the event stream: how to read it, its events, and its errors. */
export function streamSection({ servers, components: { schemas } }: Document, common: ReadonlySet<RefusalCode>): Html {
  const { name, verb, path, summary, description, scope, lastEventId } = eventStream
  const headers: Schema = {
    properties: { 'Last-Event-ID': { type: 'string', description: lastEventId } },
    required: [],
  }
  const command = [
    `curl -N '${servers[0]?.url}${path}'`,
    `-H 'apikey: YOUR_API_KEY'`,
    `-H 'Last-Event-ID: THE_LAST_ID'`,
  ]
  return html`<section id="${name}" aria-labelledby="${name}-title">
<h2 id="${name}-title">${summary} <small>additive</small></h2>
<p class="route"><b class="${verb.toLowerCase()}">${verb}</b> <code>${path}</code></p>
<p>${withCode(withoutMark(description))} Needs a key that may <code>${scope}</code>.</p>
${fieldTable('Headers', headers, schemas)}
${fieldTable('Data', schemas.SignedEvent ?? {}, schemas)}
${errorTable(
  'Errors',
  eventStream.refusals.filter((code) => !common.has(code)),
)}
<details><summary>Example</summary><pre><code>${command.join(' \\\n  ')}</code></pre></details>
</section>`
}

/** Builds the section on callbacks to the address in `callbackUrl`. */
export function callbackSection(callback: DocumentedCallback, schemas: Schemas): Html {
  const { operationId, summary, description, parameters, requestBody } = callback
  const { $ref = '' } = requestBody.content['application/json']?.schema ?? {}
  return html`<section id="${operationId}" aria-labelledby="${operationId}-title">
<h2 id="${operationId}-title">${summary}</h2>
<p class="route"><b class="post">POST</b> <code>callbackUrl</code></p>
<p>${withCode(description)}</p>
${parameterTables(parameters, schemas)}
${fieldTable('Body', schemas[$ref.replace(/^.*\//, '')] ?? {}, schemas)}
</section>`
}

/**
 * Builds a table for each place of parameters: path, query and headers. Parameters that many operations share are left
 * out.
 */
function parameterTables(parameters: readonly Parameter[] = [], schemas: Schemas): Html {
  const tables = (['path', 'query', 'header'] as const).map((place) => {
    const here = parameters.filter((parameter) => parameter.in === place)
    const properties = here.map(({ name, description, schema }) => [name, { ...schema, description }])
    const required = here.filter((parameter) => parameter.required).map(({ name }) => name)
    const caption = { path: 'Path', query: 'Query', header: 'Headers' }[place]
    return fieldTable(caption, { properties: Object.fromEntries(properties), required }, schemas)
  })
  return html`${tables}`
}

/** Builds a table of error codes with their HTTP status and meaning, sorted by status. */
export function errorTable(caption: string, codes: readonly RefusalCode[]): Html {
  const sorted = [...codes].sort((a, b) => refusals[a].status - refusals[b].status)
  return html`<div class="scroll"><table><caption>${caption}</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${sorted.map((code) => html`<tr><td>${refusals[code].status}</td><td><code>${code}</code></td><td>${refusals[code].meaning}</td></tr>`)}</tbody></table></div>`
}

/** Returns the refusals that at least half of the operations share. They are listed once. */
export function commonRefusals(): Set<RefusalCode> {
  const declared: readonly Operation[] = Object.values(operations)
  const codes = new Set(declared.flatMap((operation) => operation.refusals))
  const uses = (code: RefusalCode) => declared.filter((operation) => operation.refusals.includes(code)).length
  return new Set([...codes].filter((code) => uses(code) * 2 >= declared.length))
}

/**
 * Returns the refusals that belong to no operation: those at other addresses, and those for the person who runs the
 * service.
 */
export function refusalsOfNoOperation(): RefusalCode[] {
  const all = [...Object.values<Operation>(operations), eventStream]
  const declared = new Set<string>(all.flatMap((each) => each.refusals))
  return (Object.keys(refusals) as RefusalCode[]).filter((code) => !declared.has(code))
}

/** Builds a command line with the request, and with a placeholder for the key. */
function example({ verb, path, headers }: Operation, { servers, paths }: Document): string {
  const body = paths[path]?.[verb.toLowerCase()]?.requestBody?.content['application/json']?.example
  const lines = [
    `curl ${verb === 'GET' ? '' : `-X ${verb} `}'${servers[0]?.url}${path}'`,
    `-H 'apikey: YOUR_API_KEY'`,
    ...Object.keys(headers?.shape ?? {}).map((name) => `-H '${name}: ACCESS_TOKEN_OF_A_USER'`),
    ...(verb === 'POST' ? [`-H 'Idempotency-Key: YOUR_OWN_ID'`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`]),
  ]
  return lines.join(' \\\n  ')
}
