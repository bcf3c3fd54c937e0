import { createHash } from 'node:crypto'
import { token as newToken } from '../../lib/entropy.ts'
import { publicKeyOf } from '../../lib/nostr/wallet-connect/connection.ts'
import type { Book, ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { BegunConnection, WalletInvitation, WalletInvited } from './own-wallets.ts'

/** How long a link can be used: long enough for a person to find the connection in their wallet. */
const PASS_LIFETIME_MS = 15 * 60_000
/** The form that `newToken` produces. Other texts are not looked up. */
const TOKEN = /^[\w-]{43}$/

/**
 * Creates a token with which a member can connect their own wallet or a server's. Only a member's latest token works.
 */
export async function invite(
  context: Book,
  {
    member,
    locale,
    guild = null,
  }: { readonly member: string; readonly locale: string; readonly guild?: string | null },
): Promise<WalletInvitation> {
  const token = newToken(context.entropy)
  const until = new Date(context.clockWatch.latest() + PASS_LIFETIME_MS)
  await context.commit({
    write: async (tx) => {
      await tx.walletPass.deleteMany({ where: { OR: [{ member }, { endsAt: { lte: latest(context) } }] } })
      await tx.walletPass.create({ data: { hash: hash(token), member, guild, locale, endsAt: until } })
    },
  })
  return { token, until }
}

/**
 * Returns for whom a usable token was created; with a state, only if the state belongs to the token's latest attempt.
 */
export async function findPass(
  context: ReadonlyBook,
  token: string,
  { state, client = context.database.read }: PassQuery = {},
): Promise<WalletInvited | undefined> {
  const found = await find(context, token, { state, client })
  return found === null ? undefined : { member: found.member, guild: found.guild ?? undefined, locale: found.locale }
}

interface PassQuery {
  readonly state?: string | undefined
  readonly client?: Pick<Tx, 'walletPass'>
}

async function find(context: ReadonlyBook, token: string, { state, client = context.database.read }: PassQuery) {
  if (!TOKEN.test(token) || (state !== undefined && !TOKEN.test(state))) return null
  const begun = state === undefined ? {} : { state: hash(state) }
  return await client.walletPass.findFirst({ where: { hash: hash(token), endsAt: { gt: latest(context) }, ...begun } })
}

/** Uses a token up, within a transaction. Returns whether the token was still valid. */
export async function usePass(
  context: ReadonlyBook,
  tx: Tx,
  { token, state }: { readonly token: string; readonly state?: string | undefined },
): Promise<boolean> {
  if ((await find(context, token, { state, client: tx })) === null) return false
  await tx.walletPass.deleteMany({ where: { hash: hash(token) } })
  return true
}

/** Creates a key and a state for a link; undefined if the link has expired. */
export async function beginConnection(context: TippingContext, token: string): Promise<BegunConnection | undefined> {
  const { connections } = context.wallets
  if (!connections.offered || !TOKEN.test(token)) return undefined
  const secret = context.entropy.bytes(32).toString('hex')
  const state = newToken(context.entropy)
  const id = hash(token)
  const { count } = await context.commit({
    write: async (tx) => {
      // Inside the transaction, so that a rotation of the key comes before or after.
      const data = { state: hash(state), sealed: connections.seal(secret, id) }
      return await tx.walletPass.updateMany({ where: { hash: id, endsAt: { gt: latest(context) } }, data })
    },
  })
  return count === 0 ? undefined : { client: publicKeyOf({ secret }), state }
}

/**
 * Returns the secret of a link's attempt; undefined if another attempt has started since, or if the secret can no
 * longer be decrypted.
 */
export async function secretBegun(context: TippingContext, token: string, state: string): Promise<string | undefined> {
  const found = await find(context, token, { state })
  if (!found?.sealed) return undefined
  return context.wallets.connections.unseal(found.sealed, found.hash)
}

/** Deletes expired links, and their unfinished connections. */
export async function sweepPasses(context: Book): Promise<void> {
  const where = { endsAt: { lte: latest(context) } }
  if ((await context.database.read.walletPass.findFirst({ where, select: { id: true } })) === null) return
  await context.commit({ write: (tx) => tx.walletPass.deleteMany({ where }) })
}

/** Returns the later time of two clocks, so that setting a clock back prolongs nothing. */
function latest({ clockWatch }: ReadonlyBook): Date {
  return new Date(clockWatch.latest())
}

/** Hashes a secret. A look-up by hash takes the same time for a near miss as for any other text. */
function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
