import type { JsonObject } from '../rules/form.ts'
import type { Core } from './core.ts'

const PING = 0
const EVENT = 1
const ENABLED = 2

/**
 * Sends an event to the application's "Webhook Events URL" if the application has subscribed to events of this type.
 * https://docs.discord.com/developers/events/webhook-events#payload-structure
 */
export async function tellByWebhook(core: Core, type: string, data: JsonObject): Promise<void> {
  const { event_webhooks_url: url, event_webhooks_status: status, event_webhooks_types: types } = core.world.application
  const isAsked = status === ENABLED && Array.isArray(types) && types.includes(type)
  if (typeof url !== 'string' || !isAsked) return
  const timestamp = new Date(core.clock.now()).toISOString()
  const event = { type, timestamp, data }
  await post(core, url, { version: 1, application_id: core.world.applicationId, type: EVENT, event })
}

/**
 * Whether an address passes Discord's check: the server there must answer a PING, and must answer a wrong signature
 * with 401.
 */
export async function isAnswered(core: Core, url: string): Promise<boolean> {
  const ping = { version: 1, application_id: core.world.applicationId, type: PING }
  const forged = await post(core, url, ping, { 'x-signature-ed25519': '00'.repeat(64) })
  return (await post(core, url, ping)) === 204 && forged === 401
}

async function post(core: Core, url: string, payload: JsonObject, headers: Record<string, string> = {}) {
  const signed = core.endpoint.sign(payload)
  const request = { method: 'POST', body: signed.body, headers: { ...signed.headers, ...headers } }
  const answer = await fetch(url, request).catch(() => undefined)
  return answer?.status
}
