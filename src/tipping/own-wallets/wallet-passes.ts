import { createHash } from 'node:crypto'
import { token as newToken } from '../../lib/entropy.ts'
import type { Tx } from '../core/database.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { WalletInvitation } from './own-wallets.ts'

/** A link can be used this long: a person has to find the connection in their wallet meanwhile. */
export const PASS_LIFETIME_MS = 15 * 60_000
/** What `newToken` makes. Nothing else is looked up. */
const TOKEN = /^[\w-]{43}$/

/** Makes a member's new token. Of two, the later one works. */
export async function invite(
  context: TippingContext,
  { member, locale }: { readonly member: string; readonly locale: string },
): Promise<WalletInvitation> {
  const token = newToken(context.entropy)
  const until = new Date(context.clockWatch.latest() + PASS_LIFETIME_MS)
  await context.commit({
    write: async (tx) => {
      await tx.walletPass.deleteMany({ where: { OR: [{ member }, { endsAt: { lte: latest(context) } }] } })
      await tx.walletPass.create({ data: { hash: hash(token), member, locale, endsAt: until } })
    },
  })
  return { token, until }
}

/** Whose token it is, if it can still be used. */
export async function findPass(
  context: TippingContext,
  token: string,
  client: Pick<Tx, 'walletPass'> = context.database.read,
) {
  if (!TOKEN.test(token)) return undefined
  const found = await client.walletPass.findFirst({ where: { hash: hash(token), endsAt: { gt: latest(context) } } })
  return found === null ? undefined : { member: found.member, locale: found.locale }
}

/** Uses a token up, in the transaction that does what it was for. Whether it was still there. */
export async function usePass(context: TippingContext, tx: Tx, token: string): Promise<boolean> {
  if ((await findPass(context, token, tx)) === undefined) return false
  await tx.walletPass.deleteMany({ where: { hash: hash(token) } })
  return true
}

/** The later of two clocks, so that a clock that is set back makes none last longer. */
function latest({ clockWatch }: TippingContext): Date {
  return new Date(clockWatch.latest())
}

/** A look-up by hash takes the same time for a near miss as for any other. */
function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
