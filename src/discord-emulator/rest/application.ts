import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { isAnswered } from '../core/webhook-events.ts'
import { Form, isObject, type JsonObject, type Path } from '../rules/form.ts'
import { invalidForm } from '../rules/refusal.ts'
import { userPayload } from '../world/payloads.ts'
import { jsonOf } from './read.ts'

/**
 * The settings of a new application. Both people and servers can install it, with a link that adds only its commands.
 * https://docs.discord.com/developers/change-log (27 June 2024),
 * https://docs.discord.com/developers/resources/application#install-links
 */
const newApplication: JsonObject = {
  description: '',
  tags: [],
  install_params: undefined,
  integration_types_config: Object.fromEntries(
    ['0', '1'].map((kind) => [
      kind,
      { oauth2_install_params: { scopes: ['applications.commands'], permissions: '0' } },
    ]),
  ),
}

/**
 * Serves the application's settings, which its owner sees in the developer portal and which the application can change
 * itself.
 */
export function serveApplication(
  api: FastifyInstance,
  core: Core,
  { mayListMembers }: { readonly mayListMembers: boolean },
): void {
  api.get('/applications/@me', async () => application(core, mayListMembers))
  api.get('/oauth2/applications/@me', async () => application(core, mayListMembers))
  // https://docs.discord.com/developers/resources/application#edit-current-application
  api.patch('/applications/@me', async (request) => {
    const body = jsonOf(request)
    const changed = checkApplication(body)
    if ('interactions_endpoint_url' in body) await setEndpoint(core, body.interactions_endpoint_url)
    await tryEvents(core, body)
    core.world.saveApplication({ ...core.world.application, ...changed })
    return application(core, mayListMembers)
  })
}

function application(core: Core, mayListMembers: boolean): JsonObject {
  const { world } = core
  const user = world.users.get(world.applicationId)
  const bot = user && userPayload(user)
  return {
    id: world.applicationId,
    name: user?.username,
    icon: null,
    summary: '',
    type: null,
    bot,
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: core.endpoint.publicKey,
    // GATEWAY_GUILD_MEMBERS_LIMITED: the Server Members intent is switched on.
    flags: mayListMembers ? 1 << 15 : 0,
    hook: true,
    owner: bot,
    team: null,
    approximate_guild_count: world.guildsOf(world.applicationId).length,
    redirect_uris: [...core.oauth.redirectUris],
    interactions_endpoint_url: core.endpoint.url,
    ...newApplication,
    ...ownSettings(world.application),
  }
}

/** Returns the changed settings without the emoji, which have a route of their own. */
function ownSettings({ own_emoji: _, ...settings }: JsonObject): JsonObject {
  return settings
}

function checkApplication(body: JsonObject): JsonObject {
  const form = new Form()
  const changed: JsonObject = {}
  for (const [key, max] of [
    ['description', 400],
    ['custom_install_url', 2_048],
    ['event_webhooks_url', 2_048],
    ['role_connections_verification_url', 2_048],
  ] as const)
    if (key in body) changed[key] = form.text(body, key, [], { max }) ?? null
  if ('tags' in body) changed.tags = checkTags(form, body.tags)
  if ('install_params' in body) changed.install_params = checkParams(form, body, 'install_params', [])
  for (const key of ['event_webhooks_status', 'event_webhooks_types', 'flags'])
    if (key in body) changed[key] = body[key]
  const config = form.object(body, 'integration_types_config', [])
  if (config !== undefined) changed.integration_types_config = checkConfig(form, config)
  form.refuse()
  return changed
}

/** Checks the application's tags: at most five, of at most twenty characters each. */
function checkTags(form: Form, tags: unknown): unknown {
  const isList =
    Array.isArray(tags) && tags.length <= 5 && tags.every((tag) => typeof tag === 'string' && tag.length <= 20)
  if (!isList) form.fault(['tags'], 'BASE_TYPE_MAX_LENGTH', 'Must be 5 or fewer in length, of 20 characters each.')
  return tags
}

/**
 * Checks who can install the application: servers (`0`) and people (`1`). Those that are left out can no longer install
 * it.
 */
function checkConfig(form: Form, config: JsonObject): JsonObject {
  const at: Path = ['integration_types_config']
  for (const kind of Object.keys(config)) {
    if (kind !== '0' && kind !== '1') form.fault([...at, kind], 'BASE_TYPE_CHOICES', 'Value must be one of {0, 1}.')
    const of = config[kind]
    if (isObject(of)) checkParams(form, of, 'oauth2_install_params', [...at, kind])
  }
  return config
}

function checkParams(form: Form, source: JsonObject, key: string, at: Path): JsonObject | undefined {
  const params = form.object(source, key, at)
  if (params === undefined) return undefined
  const { scopes } = params
  if (!Array.isArray(scopes) || scopes.length === 0)
    form.fault([...at, key, 'scopes'], 'BASE_TYPE_REQUIRED', 'This field is required')
  form.text(params, 'permissions', [...at, key], { max: 20, required: true })
  return params
}

/** https://docs.discord.com/developers/events/webhook-events#preparing-for-events */
async function tryEvents(core: Core, { event_webhooks_url: url }: JsonObject): Promise<void> {
  if (typeof url !== 'string' || (await isAnswered(core, url))) return
  const message = 'The specified event webhooks url could not be verified.'
  throw invalidForm([{ path: ['event_webhooks_url'], code: 'APPLICATION_EVENT_WEBHOOKS_URL_INVALID', message }])
}

async function setEndpoint(core: Core, url: unknown): Promise<void> {
  const path = ['interactions_endpoint_url']
  const said = url === '' || url === null ? null : String(url)
  await core.endpoint.set(said).catch((error: Error) => {
    throw invalidForm([{ path, code: 'APPLICATION_INTERACTIONS_ENDPOINT_VERIFICATION_FAILED', message: error.message }])
  })
}
