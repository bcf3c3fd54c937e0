import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { HttpProblem } from '../../lib/http/http-server.ts'
import type { Html } from '../../lib/web/html.ts'
import { inlineFile, joinFiles } from '../../lib/web/inline-file.ts'
import { BASE_STYLE } from '../../lib/web/page-frame.ts'
import { openApiDocument } from '../../payments-api/payments-api.ts'
import { createAddressRateLimit } from '../engine/limits/rate-limit.ts'
import { communityOf } from '../engine/names/community.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Document } from './document.ts'
import { frontPage, nothingHere } from './front-page.ts'
import { markdownOf } from './markdown.ts'
import { Reference } from './render-docs.ts'

const STYLE_PATH = '/docs/docs.css'
const SCRIPT_PATH = '/docs/copy.js'
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
const MAX_QUERY = 100
/**
 * The maximum number of searches per second from one address. A search takes some 4 ms of processor time, and needs no
 * key.
 */
const SEARCHES_PER_SECOND = 2

type DocsParts = Pick<ServiceParts, 'publicUrl' | 'clock' | 'database' | 'ownProject'>

/**
 * Adds the front page, and the description of the interface for programs (`/openapi.json`) and for people (`/docs`),
 * both generated from the declarations.
 */
export function addDocsPage(app: FastifyInstance, parts: DocsParts): void {
  const style = joinFiles(BASE_STYLE, inlineFile(new URL('./docs.css', import.meta.url))).text
  const script = inlineFile(new URL('./assets/copy.js', import.meta.url)).text
  const searches = createAddressRateLimit(parts.clock, SEARCHES_PER_SECOND)
  const made = remember(() => make(parts.publicUrl))

  app.get('/openapi.json', async (_request, reply) => {
    // Tools in a browser may read public documents.
    reply.headers({ 'content-type': 'application/json; charset=utf-8', 'access-control-allow-origin': '*' })
    return reply.send(made().document)
  })
  const send = (reply: FastifyReply, page: Html) =>
    reply
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CONTENT_SECURITY_POLICY })
      .send(page.text)
  app.get('/', async (_request, reply) => send(reply, frontPage(STYLE_PATH, await communityOf(parts, null))))
  app.get('/docs', async (_request, reply) => send(reply, made().overview))
  app.get<{ Querystring: { q?: string | string[] } }>('/docs/search', async (request, reply) => {
    searches.take(request.ip)
    const query = [request.query.q ?? ''].flat().join(' ').trim().slice(0, MAX_QUERY)
    return send(reply, made().reference.found(query))
  })
  app.get<{ Params: { group: string } }>('/docs/:group', async (request, reply) => {
    const [path, isMarkdown] = withoutEnding(`/docs/${request.params.group}`)
    const page = made().pages.get(path)
    if (page === undefined)
      throw new HttpProblem(404, 'unknown_route', 'The reference has no such page. Begin at /docs.')
    return isMarkdown ? sendText(reply, 'markdown', markdownOf(page.text)) : send(reply, page)
  })
  app.get('/docs.md', async (_request, reply) => sendText(reply, 'markdown', markdownOf(made().overview.text)))
  app.get('/llms.txt', async (_request, reply) => sendText(reply, 'plain', contentsOf(made().pages, parts.publicUrl)))
  app.get('/llms-full.txt', async (_request, reply) => {
    const texts = [...made().pages.values()].map((page) => markdownOf(page.text))
    return sendText(reply, 'plain', texts.join('\n'))
  })
  app.get(SCRIPT_PATH, async (_request, reply) =>
    reply.headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'max-age=3600' }).send(script),
  )
  app.get(STYLE_PATH, async (_request, reply) =>
    reply.headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=3600' }).send(style),
  )
}

/** The page that a browser gets at an unknown address of the service, and the policy for this page. */
export const UNKNOWN_PAGE = { page: nothingHere(STYLE_PATH), policy: CONTENT_SECURITY_POLICY }

function make(serverUrl: string) {
  const document = openApiDocument({ version: readVersion(), serverUrl })
  const reference = new Reference(document as unknown as Document, STYLE_PATH, SCRIPT_PATH)
  const pages = reference.pages()
  const overview = pages.get('/docs')
  if (overview === undefined) throw new Error('the reference has no overview')
  return { document: JSON.stringify(document), reference, pages, overview }
}

/**
 * Returns a path without the ending `.md`, and whether it had this ending: `/docs/vouchers.md` is `/docs/vouchers` as
 * Markdown.
 */
function withoutEnding(path: string): readonly [path: string, isMarkdown: boolean] {
  return path.endsWith('.md') ? [path.slice(0, -'.md'.length), true] : [path, false]
}

function sendText(reply: FastifyReply, kind: 'plain' | 'markdown', text: string): FastifyReply {
  return reply.headers({ 'content-type': `text/${kind}; charset=utf-8`, 'access-control-allow-origin': '*' }).send(text)
}

/**
 * Returns `/llms.txt`: what the service is, and the address of each page of the reference in Markdown (llmstxt.org).
 */
function contentsOf(pages: ReadonlyMap<string, Html>, serverUrl: string): string {
  const titleOf = ({ text }: Html) => /^# (.*)$/m.exec(markdownOf(text))?.[1] ?? ''
  return [
    '# Lightning payments',
    '',
    '> Send and receive Bitcoin over Lightning by HTTP. Amounts are strings of millisatoshis; each request carries the header `apikey`.',
    '',
    '## Reference',
    '',
    ...[...pages].map(([path, page]) => `- [${titleOf(page)}](${serverUrl}${path}.md)`),
    '',
    '## Optional',
    '',
    `- [OpenAPI document](${serverUrl}/openapi.json)`,
    `- [Everything on one page](${serverUrl}/llms-full.txt)`,
    '',
  ].join('\n')
}

/** Returns the project's version from package.json. */
function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/**
 * Returns a function that creates a value at its first call, because the address is known only once the service
 * listens.
 */
function remember<T>(create: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= create()
    return made
  }
}
