import { createHash } from 'node:crypto'
import { msats } from '../../lib/money/amount.ts'
import { lastDay } from '../core/budgets.ts'
import { type Book, now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { ApiKey, Webhook } from '../generated/client.ts'
import type { ApiKeyScope, ApiKeyTerms, ApiKeyView, WebhookView } from './api-keys.ts'

/** The prefix by which people, and programs that search for leaked secrets, recognize a key's secret. */
export const SECRET_PREFIX = 'satchel_'
const SECRET = /^satchel_[\w-]{43}$/
/** The shortest time between two records of a key's use. */
const NOTE_USE_EVERY_MS = 60_000
const MAX_LISTED = 25

/** Hashes a secret. A look-up by hash takes the same time for a near miss as for any other text. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/**
 * Returns the secret that signs a key's webhook (Standard Webhooks). This secret is derived from the key's hash, so the
 * book need not store it; the key's own secret cannot be derived from it.
 */
export function signingSecretOf({ hash }: Pick<ApiKey, 'hash'>): string {
  return `whsec_${createHash('sha256').update(`webhook ${hash}`).digest('base64')}`
}

/** Returns the valid key with this secret, and records its use; undefined if there is none. */
export async function findApiKey(context: Book, secret: string): Promise<ApiKeyTerms | undefined> {
  if (!SECRET.test(secret)) return undefined
  const key = await context.database.read.apiKey.findFirst({ where: { hash: hashOf(secret) } })
  if (key === null || stateOf(context, key) !== 'live') return undefined
  const at = now(context)
  if (at.getTime() - (key.lastUsedAt?.getTime() ?? 0) >= NOTE_USE_EVERY_MS) {
    const { id } = key
    await context.commit({ write: (tx) => tx.apiKey.updateMany({ where: { id }, data: { lastUsedAt: at } }) })
  }
  return termsOf(context, key)
}

/** Returns a key. Throws TippingRefusal `api-key-not-found`. */
export async function readApiKey({ database }: ReadonlyBook, id: string): Promise<ApiKey> {
  const key = await database.read.apiKey.findFirst({ where: { id } })
  if (key === null) throw new TippingRefusal('api-key-not-found', {})
  return key
}

export async function viewApiKey(context: ReadonlyBook, id: string): Promise<ApiKeyView> {
  return await view(context, await readApiKey(context, id))
}

export async function listApiKeys(context: ReadonlyBook, guild: string): Promise<ApiKeyView[]> {
  const order = { orderBy: { createdAt: 'desc' }, take: MAX_LISTED } as const
  const found = await context.database.read.apiKey.findMany({ where: { guild }, ...order })
  return await Promise.all(found.map((key) => view(context, key)))
}

/**
 * Returns the sum of a key's gifts in the last 24 hours, including those that wait for approval. Denied gifts do not
 * count, because their sums are back in the pool.
 */
export async function spentByKey(
  context: Pick<TippingContext, 'clockWatch'>,
  client: Pick<Tx, 'reward'>,
  apiKey: string,
): Promise<bigint> {
  const where = { apiKey, state: { not: 'denied' }, createdAt: { gt: lastDay(context) } }
  return (await client.reward.aggregate({ where, _sum: { amount: true } }))._sum.amount ?? 0n
}

/** Returns a key's state according to the later of two clocks, so that setting a clock back prolongs nothing. */
export function stateOf({ clockWatch }: ReadonlyBook, { revokedBy, expiresAt }: ApiKey): ApiKeyTerms['state'] {
  if (revokedBy !== null) return 'revoked'
  return expiresAt.getTime() <= clockWatch.latest() ? 'expired' : 'live'
}

async function view(context: ReadonlyBook, key: ApiKey): Promise<ApiKeyView> {
  const { read } = context.database
  const [spent, webhook] = await Promise.all([
    spentByKey(context, read, key.id),
    read.webhook.findUnique({ where: { apiKey: key.id } }),
  ])
  return { ...termsOf(context, key), spent: msats(spent), webhook: webhook === null ? undefined : webhookOf(webhook) }
}

function webhookOf({ url, failingSince, givenUpAt }: Webhook): WebhookView {
  return { url, failingSince: failingSince ?? undefined, givenUpAt: givenUpAt ?? undefined }
}

function termsOf(context: ReadonlyBook, key: ApiKey): ApiKeyTerms {
  const { id, guild, channel, owner, name, scopes, budget, expiresAt, lastUsedAt, revokedBy } = key
  return {
    ...{ id, guild, channel, owner, name, expiresAt },
    scopes: scopes.split(' ') as ApiKeyScope[],
    budget: msats(budget),
    lastUsedAt: lastUsedAt ?? undefined,
    revokedBy: revokedBy ?? undefined,
    state: stateOf(context, key),
  }
}
