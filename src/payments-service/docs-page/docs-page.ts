import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../../payments-api/payments-api.ts'
import type { ServiceParts } from '../parts.ts'
import { type Document, renderDocs } from './render-docs.ts'

const STYLE_PATH = '/docs/docs.css'
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/** The interface for programs (`/openapi.json`) and for people (`/docs`), both made from what is declared. */
export function addDocsPage(app: FastifyInstance, parts: Pick<ServiceParts, 'publicUrl'>): void {
  const style = readFileSync(join(import.meta.dirname, 'docs.css'))
  const made = remember(() => make(parts.publicUrl))

  app.get('/openapi.json', async (_request, reply) => {
    // Tools in a browser may read what everybody may read.
    reply.headers({ 'content-type': 'application/json; charset=utf-8', 'access-control-allow-origin': '*' })
    return reply.send(made().document)
  })
  app.get('/docs', async (_request, reply) => {
    reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CONTENT_SECURITY_POLICY })
    return reply.send(made().page)
  })
  app.get(STYLE_PATH, async (_request, reply) =>
    reply.headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=3600' }).send(style),
  )
}

function make(serverUrl: string): { readonly document: string; readonly page: string } {
  const document = openApiDocument({ version: readVersion(), serverUrl })
  return { document: JSON.stringify(document), page: renderDocs(document as unknown as Document, STYLE_PATH).text }
}

/** The project's version, as its package says. */
function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** The address is known only once the service listens, so both are made when they are first asked for. */
function remember<T>(create: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= create()
    return made
  }
}
