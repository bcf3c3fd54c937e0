import { InsufficientFunds } from '../../ledger/ledger.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { member as memberAccount, OPERATOR } from '../core/chart-of-accounts.ts'
import { type CoreContext, now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { operationRow } from '../machines/once-only/once-only.ts'
import { noteMember } from '../machines/payouts/live-link.ts'
import type { TippingContext } from '../machines/tipping-context.ts'
import type { Faucet, FaucetShare } from './faucet.ts'

/** All members together get this many shares a day. */
const SHARES_A_DAY = 100n
const DAY_MS = 24 * 3_600_000

/** What a member gets each day; undefined where sats are real, or might be. */
export function faucetAmount({ network, settings }: Pick<CoreContext, 'network' | 'settings'>): Msats | undefined {
  return network.isTest && settings.faucetAmount > 0n ? settings.faucetAmount : undefined
}

/** Books a share from the operator to a member, at once and for good. */
export async function takeFromFaucet(
  context: TippingContext,
  { member, origin }: Parameters<Faucet['take']>[0],
): Promise<FaucetShare> {
  const amount = faucetAmount(context)
  if (amount === undefined) throw new TippingRefusal('faucet-closed', {})
  const { interaction } = origin
  await context.once.perform({ interaction, verb: 'faucet', content: [member] }, async (digest) => {
    const [id, at] = [context.entropy.uuid(), now(context)]
    try {
      await context.commit({
        entries: [{ operation: id, step: 'post', moves: [{ from: OPERATOR, to: memberAccount(member), amount }] }],
        // Fees and losses may bring the operator below zero. Gifts may not.
        solvent: [OPERATOR],
        rows: [operationRow({ id, verb: 'faucet', record: id, interaction, digest, createdAt: at })],
        write: async (tx) => {
          await spendShare(tx, { member, amount, at })
          await noteMember(tx, member, at)
        },
      })
    } catch (error) {
      if (error instanceof InsufficientFunds) throw new TippingRefusal('faucet-empty', { until: tomorrow(at) })
      throw error
    }
    return id
  })
  return { amount, until: tomorrow(now(context)) }
}

/**
 * Writes a share down, in the transaction that moves it: one a day for a Discord account, and for every Lightning account
 * that was ever linked to it, and so many a day for all.
 */
async function spendShare(
  tx: Tx,
  { member, amount, at }: { readonly member: string; readonly amount: Msats; readonly at: Date },
): Promise<void> {
  const day = at.toISOString().slice(0, 10)
  const links = await tx.link.findMany({ where: { member }, select: { lightningId: true } })
  const lightning = [...new Set(links.map(({ lightningId }) => `faucet:lightning:${lightningId}`))]
  for (const key of [`faucet:member:${member}`, ...lightning]) {
    if ((await tx.usage.findUnique({ where: { key_day: { key, day } } })) !== null) {
      throw new TippingRefusal('faucet-taken', { until: tomorrow(at) })
    }
    await tx.usage.create({ data: { key, day, used: amount, cap: amount } })
  }
  const cap = amount * SHARES_A_DAY
  const all = { key_day: { key: 'faucet', day } }
  const used = ((await tx.usage.findUnique({ where: all }))?.used ?? 0n) + amount
  if (used > cap) throw new TippingRefusal('faucet-empty', { until: tomorrow(at) })
  await tx.usage.upsert({ where: all, create: { key: 'faucet', day, used, cap }, update: { used, cap } })
}

function tomorrow(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS + DAY_MS)
}
