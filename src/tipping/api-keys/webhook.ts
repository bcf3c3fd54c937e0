import { mayBeAsked } from '../../lib/http/outgoing-url.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { type CreateApiKey, MAX_WEBHOOK_URL } from './api-keys.ts'

/**
 * Returns a new key's webhook address in its normalized form; undefined if none was typed. Throws TippingRefusal
 * `webhook-url` or `webhook-use`.
 */
export function readWebhook(
  { egress }: Pick<TippingContext, 'egress'>,
  { scopes, webhook }: CreateApiKey,
): string | undefined {
  const text = webhook?.trim() ?? ''
  if (text === '') return undefined
  if (!scopes.includes('events')) throw new TippingRefusal('webhook-use', {})
  const url = mayBeAsked(text, egress.lnurl.allowLoopbackHttp ?? false) ? new URL(text).href : ''
  if (url === '' || url.length > MAX_WEBHOOK_URL) throw new TippingRefusal('webhook-url', { most: MAX_WEBHOOK_URL })
  return url
}

/** Adds a new key's webhook, to which events are sent from now on. Throws TippingRefusal `webhook-twice`. */
export async function addWebhook(
  context: ReadonlyBook,
  tx: Tx,
  { apiKey, guild, url }: { readonly apiKey: string; readonly guild: string; readonly url: string },
): Promise<void> {
  const live = { guild, revokedBy: null, expiresAt: { gt: new Date(context.clockWatch.latest()) } }
  const same = await tx.webhook.count({ where: { url, givenUpAt: null, key: live } })
  if (same > 0) throw new TippingRefusal('webhook-twice', {})
  const cursor = (await tx.entry.aggregate({ _max: { id: true } }))._max.id ?? 0
  await tx.webhook.create({ data: { apiKey, url, cursor, nextTryAt: now(context) } })
}
