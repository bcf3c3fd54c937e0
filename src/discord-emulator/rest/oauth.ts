import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Core } from '../core/core.ts'
import { type Grant, OAuthRefusal } from '../core/oauth.ts'
import { Form, isObject, type JsonObject } from '../rules/form.ts'
import { checkLocalisations } from '../rules/localisations.ts'
import { DiscordRefusal, unauthorized, unknownApplication } from '../rules/refusal.ts'
import { userPayload } from '../world/payloads.ts'
import { jsonOf, param, rawJsonOf } from './read.ts'

const MAX_RECORDS = 5
const KEY = /^[a-z0-9_]{1,50}$/
const WHOLE = /^-?\d+$/
/**
 * The types of records whose values are times.
 * https://docs.discord.com/developers/resources/application-role-connection-metadata
 */
const OF_TIMES: readonly unknown[] = [5, 6]

/**
 * Whether a route requires, instead of the bot's token, a form with the application's client secret or a person's
 * access token.
 */
export function isForOthersThanTheBot(path: string): boolean {
  return isToken(path) || path === '/oauth2/@me' || path.startsWith('/users/@me/applications/')
}

/** Whether the bodies of a route's requests contain secrets. */
export function isToken(path: string): boolean {
  return path === '/oauth2/token' || path === '/oauth2/token/revoke'
}

/** Serves people's grants to the application, and the linked roles, which need a grant. */
export function serveOAuth(api: FastifyInstance, core: Core): void {
  serveTokens(api, core)
  const { oauth, world } = core
  // https://docs.discord.com/developers/topics/oauth2#get-current-authorization-information
  api.get('/oauth2/@me', async (request) => {
    const { user, scopes } = grantOf(core, request)
    const found = world.users.get(user)
    const application = { id: world.applicationId, name: 'Satchel', icon: null, description: '', verify_key: '' }
    const expires = new Date(core.clock.now() + 604_800_000).toISOString()
    return { application, scopes, expires, ...(scopes.includes('identify') && found && { user: userPayload(found) }) }
  })
  api.get('/applications/:application/role-connections/metadata', async (request) => {
    mustBeOurs(core, request)
    return oauth.records
  })
  api.put('/applications/:application/role-connections/metadata', async (request) => {
    mustBeOurs(core, request)
    oauth.records = checkRecords(rawJsonOf(request))
    return oauth.records
  })
  const path = '/users/@me/applications/:application/role-connection'
  api.get(path, async (request) => oauth.told.get(writerOf(core, request)) ?? {})
  api.put(path, async (request) => {
    const user = writerOf(core, request)
    const told = checkConnection(jsonOf(request), oauth.records)
    oauth.told.set(user, told)
    return told
  })
  api.delete(path, async (request, reply) => {
    oauth.told.delete(writerOf(core, request))
    return reply.code(204).send()
  })
}

function serveTokens(api: FastifyInstance, { oauth, world }: Core): void {
  const formOf = (request: FastifyRequest) => {
    if (request.headers['content-type'] !== 'application/x-www-form-urlencoded')
      throw new OAuthRefusal('invalid_request')
    const form = jsonOf(request)
    const isClient = form.client_id === world.applicationId && form.client_secret === oauth.clientSecret
    if (!isClient) throw new OAuthRefusal('invalid_client')
    return form
  }
  api.post('/oauth2/token', async (request) => oauth.issue(formOf(request)))
  api.post('/oauth2/token/revoke', async (request) => {
    oauth.revoke(String(formOf(request).token))
    return {}
  })
}

function grantOf({ oauth }: Core, request: FastifyRequest): Grant {
  const grant = oauth.granted(request.headers.authorization)
  if (grant === undefined) throw unauthorized()
  return grant
}

function writerOf(core: Core, request: FastifyRequest): string {
  const { user, scopes } = grantOf(core, request)
  mustBeOurs(core, request)
  if (!scopes.includes('role_connections.write'))
    throw new DiscordRefusal(403, 50025, 'Invalid OAuth2 access token provided')
  return user
}

function mustBeOurs({ world }: Core, request: FastifyRequest): void {
  if (param(request, 'application') !== world.applicationId) throw unknownApplication()
}

function checkRecords(body: unknown): readonly JsonObject[] {
  const form = new Form()
  const records = form.objects({ records: body ?? [] }, 'records', [], { max: MAX_RECORDS }) ?? []
  for (const [record, at] of records) {
    form.choice(record, 'type', at, [1, 2, 3, 4, 5, 6, 7, 8], { required: true })
    const key = form.text(record, 'key', at, { min: 1, max: 50, required: true })
    if (key !== undefined && !KEY.test(key)) form.fault([...at, 'key'], 'STRING_TYPE_REGEX', 'Not a well formed key.')
    form.text(record, 'name', at, { min: 1, max: 100, required: true })
    form.text(record, 'description', at, { min: 1, max: 200, required: true })
    checkLocalisations(form, record, 'name_localizations', at, 100, () => true)
    checkLocalisations(form, record, 'description_localizations', at, 200, () => true)
  }
  form.refuse()
  return records.map(([record]) => record)
}

/**
 * Checks what the application reports about a person. All values are strings: ISO 8601 times for records of times, and
 * whole numbers for all others.
 */
function checkConnection(body: JsonObject, records: readonly JsonObject[]): JsonObject {
  const form = new Form()
  form.text(body, 'platform_name', [], { max: 50 })
  form.text(body, 'platform_username', [], { max: 100 })
  const metadata = form.object(body, 'metadata', []) ?? {}
  for (const key of Object.keys(metadata)) {
    const record = records.find((each) => each.key === key)
    const text = form.text(metadata, key, ['metadata'], { min: 1, max: 100 })
    if (record === undefined) form.fault(['metadata', key], 'BASE_TYPE_CHOICES', 'There is no such record.')
    else if (text !== undefined && !isOfType(record.type, text))
      form.fault(['metadata', key], 'BASE_TYPE_INVALID', `Value "${text}" is not of the record's type.`)
  }
  form.refuse()
  return { ...body, metadata: isObject(body.metadata) ? body.metadata : {} }
}

function isOfType(type: unknown, text: string): boolean {
  return OF_TIMES.includes(type) ? !Number.isNaN(Date.parse(text)) && /^\d{4}-\d\d-\d\dT/.test(text) : WHOLE.test(text)
}
