import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { RecordedRequest } from '../../src/discord-emulator/views.ts'

/**
 * The checks of the bot's requests against Discord's own OpenAPI document. The document is not part of this project:
 * the environment variable DISCORD_OPENAPI is the path of a copy, and without it nothing is checked.
 */
export interface DiscordContract {
  /** Returns the faults of a request, as sentences; empty if the request follows the document. */
  faults(request: RecordedRequest): string[]
}

interface Route {
  readonly method: string
  readonly path: string
  readonly pattern: RegExp
  readonly literals: number
  readonly schema: object | undefined
}

interface Document {
  readonly paths: Record<string, Record<string, { requestBody?: { content?: Record<string, { schema?: object }> } }>>
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete']

/** Returns the contract in the file at DISCORD_OPENAPI, or undefined if that variable is not set. */
export function discordContract(file = process.env.DISCORD_OPENAPI): DiscordContract | undefined {
  return file ? readContract(file) : undefined
}

function readContract(file: string): DiscordContract {
  const document = JSON.parse(readFileSync(file, 'utf8')) as Document
  const ajv = new Ajv2020({ strict: false, coerceTypes: true, allErrors: true, validateFormats: true })
  addFormats.default(ajv)
  for (const format of ['snowflake', 'nonce', 'int32', 'int64']) ajv.addFormat(format, true)
  ajv.addSchema(document, 'discord')
  const routes = routesOf(document)
  const validators = new Map<Route, ValidateFunction>()
  return {
    faults(request) {
      const route = routes.find((each) => each.method === request.method && each.pattern.test(request.path))
      if (!route) return [`${request.method} ${request.path} is not in Discord's document`]
      if (!route.schema || request.body === undefined || request.body === null) return []
      let validate = validators.get(route)
      if (!validate) {
        validate = ajv.compile(route.schema)
        validators.set(route, validate)
      }
      // Ids are accepted as numbers or texts: validation may convert, so it gets a copy.
      if (validate(structuredClone(request.body))) return []
      const errors = (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
      return [`${request.method} ${request.path}: ${[...new Set(errors)].slice(0, 6).join('; ')}`]
    },
  }
}

/** Returns every route, those with the most literal segments first, so that `@original` wins over `{message_id}`. */
function routesOf(document: Document): Route[] {
  return Object.entries(document.paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => METHODS.includes(method))
        .map(([method, operation]) => {
          const content = operation.requestBody?.content ?? {}
          const key = path.replaceAll('~', '~0').replaceAll('/', '~1')
          const type = ['application/json', 'multipart/form-data'].find((each) => content[each])
          const pointer =
            type && `discord#/paths/${encodeURI(key)}/${method}/requestBody/content/${type.replace('/', '~1')}/schema`
          return {
            method: method.toUpperCase(),
            path,
            pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`),
            literals: path.split('/').filter((segment) => !segment.startsWith('{')).length,
            schema: pointer ? { $ref: pointer } : undefined,
          }
        }),
    )
    .sort((a, b) => b.literals - a.literals)
}
