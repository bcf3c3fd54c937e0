import { token } from '../../lib/entropy.ts'
import { type Msats, ZERO } from '../../lib/money/amount.ts'
import { type CoreContext, now } from '../core/context.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import {
  type ApiKeyDecision,
  type ApiKeyView,
  type CreateApiKey,
  MAX_API_KEY_DAYS,
  MAX_API_KEY_NAME,
  MAX_API_KEYS,
  type NewApiKey,
} from './api-keys.ts'
import { hashOf, SECRET_PREFIX, signingSecretOf, viewApiKey } from './find-key.ts'
import { addWebhook, readWebhook } from './webhook.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Makes a key. Throws a refusal of the budget, or TippingRefusal `api-key-name`, `api-key-name-taken`, `rule-days`,
 * `api-key-budget-missing`, `api-key-too-many`, `webhook-url`, `webhook-use` or `webhook-twice`.
 */
export async function createApiKey(context: TippingContext, command: CreateApiKey): Promise<NewApiKey> {
  const { guild, channel, member, interaction, days } = command
  const scopes = command.scopes.join(' ')
  const name = readName(command.name)
  const budget = readBudget(context, command)
  if (!(Number.isSafeInteger(days) && days >= 1 && days <= MAX_API_KEY_DAYS)) {
    throw new TippingRefusal('rule-days', { most: MAX_API_KEY_DAYS })
  }
  const webhook = readWebhook(context, command)
  const secret = SECRET_PREFIX + token(context.entropy)
  const hash = hashOf(secret)
  let isNew = false
  const content = [guild, member, name, scopes, String(budget), days, ...(webhook === undefined ? [] : [webhook])]
  const id = await context.once.perform({ interaction, verb: 'api-key', content }, async (digest) => {
    const [key, at] = [context.entropy.uuid(), now(context)]
    const latest = context.clockWatch.latest()
    await context.commit({
      rows: [operationRow({ id: key, verb: 'api-key', record: key, interaction, digest, createdAt: at })],
      write: async (tx) => {
        const working = { guild, revokedBy: null, expiresAt: { gt: new Date(latest) } }
        const others = await tx.apiKey.findMany({ where: working, select: { name: true } })
        const isSame = (other: string) => other.toLowerCase() === name.toLowerCase()
        if (others.some((other) => isSame(other.name))) throw new TippingRefusal('api-key-name-taken', {})
        if (others.length >= MAX_API_KEYS) throw new TippingRefusal('api-key-too-many', { most: MAX_API_KEYS })
        const expiresAt = new Date(latest + days * DAY_MS)
        const terms = { guild, channel, owner: member, name, scopes, budget, expiresAt }
        await tx.apiKey.create({ data: { id: key, ...terms, hash, createdAt: at } })
        if (webhook !== undefined) await addWebhook(context, tx, { apiKey: key, guild, url: webhook })
        const about = { apiKey: key, name, scopes, expiresAt, ...(budget > 0n && { amount: budget }) }
        await logModeration(context, tx, { guild, member, action: 'api-key', about })
      },
    })
    isNew = true
    return key
  })
  const signingSecret = isNew && webhook !== undefined ? signingSecretOf({ hash }) : undefined
  return { key: await viewApiKey(context, id), secret: isNew ? secret : undefined, signingSecret }
}

function readName(text: string): string {
  const name = text.toWellFormed().replaceAll('\0', '').trim()
  if (name === '' || name.length > MAX_API_KEY_NAME)
    throw new TippingRefusal('api-key-name', { most: MAX_API_KEY_NAME })
  return name
}

function readBudget(context: CoreContext, { scopes, budget }: CreateApiKey): Msats {
  if (!scopes.includes('rewards')) return ZERO
  if (budget === undefined) throw new TippingRefusal('api-key-budget-missing', {})
  const { minAmount: smallest, maxAmount: largest } = context.settings
  return readAmount(budget, { smallest, largest, rates: context.rates })
}

/**
 * Revokes a key. Throws TippingRefusal `api-key-not-found`, also for a key of another server. Leaves a revoked key as
 * it is.
 */
export async function revokeApiKey(context: TippingContext, decision: ApiKeyDecision): Promise<ApiKeyView> {
  const { key: id, guild, member } = decision
  await context.commit({
    write: async (tx) => {
      const key = await tx.apiKey.findFirst({ where: { id, guild } })
      if (key === null) throw new TippingRefusal('api-key-not-found', {})
      if (key.revokedBy !== null) return
      await tx.apiKey.update({ where: { id }, data: { revokedBy: member } })
      const about = { apiKey: id, name: key.name }
      await logModeration(context, tx, { guild, member, action: 'api-key-revoked', about })
    },
  })
  return await viewApiKey(context, id)
}
