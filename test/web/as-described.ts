import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { publicApiDocument } from '../../src/web/web-server.ts'

interface Described {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

/** The text of the API's documentation for people. */
const page = readFileSync(new URL('../../docs/PUBLIC_API.md', import.meta.url), 'utf8')
const ajv = addFormats.default(new Ajv2020({ strict: false }))
const paths = publicApiDocument().paths as Readonly<Record<string, Readonly<Record<string, Described>>>>

interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/**
 * Checks that an answer of the bot's API matches the API's document. Throws if the document does not list the status,
 * or describes another body.
 */
export function mustBeAsDescribed(verb: string, url: string, { status, headers, body }: ApiAnswer): void {
  const said = `${verb} ${url} → ${status} ${JSON.stringify(body)}`
  if (status >= 500 && status !== 503) throw new Error(`a fault of the bot: ${said}`)
  const operation = operationAt(verb, new URL(url, 'http://bot').pathname)
  // What is at no described address is a problem in the same shape.
  const described = operation ?? Object.values(Object.values(paths)[0] ?? {})[0]
  const content = (operation?.responses[status] ?? described?.responses.default)?.content
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const schema = content?.[type]?.schema
  if (schema === undefined) throw new Error(`not in the document: ${said} (${type})`)
  const { code } = body as { readonly code?: unknown }
  if (code !== undefined && !page.includes(`\`${code}\``)) throw new Error(`not in the list of errors: ${said}`)
  if (!ajv.validate(schema, body)) throw new Error(`${ajv.errorsText()}: ${said}`)
}

function operationAt(verb: string, path: string): Described | undefined {
  const [, operations] = Object.entries(paths).find(([each]) => patternOf(each).test(path)) ?? []
  return operations?.[verb.toLowerCase()]
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]*')}$`)
}
