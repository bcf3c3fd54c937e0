import { InsufficientFunds } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { member as memberAccount, OPERATOR } from '../core/chart-of-accounts.ts'
import { type CoreContext, now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { isNewAccount } from '../core/new-accounts.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { mustAcceptDeposits } from '../engine/incoming/deposits-open.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Faucet, FaucetShare } from './faucet.ts'
import { fillFaucet } from './fill-faucet.ts'

/** The number of shares that all members together can get in a day. */
const SHARES_A_DAY = 100n
/**
 * The number of shares a day for all new accounts together, so that accounts made for the faucet leave half of the
 * shares to others.
 */
const SHARES_OF_NEW_ACCOUNTS = SHARES_A_DAY / 2n
/** The number of shares left below which the sandbox pays in a day's shares. */
const SHARES_LEFT = 5n
const DAY_MS = 24 * 3_600_000

/** Returns a member's daily amount; undefined if there is no faucet, or the sats are or might be real. */
export function faucetAmount({ network, settings }: Pick<CoreContext, 'network' | 'settings'>): Msats | undefined {
  return network.isTest && settings.faucetAmount > 0n ? settings.faucetAmount : undefined
}

/** Moves a share from the operator to a member, immediately and finally. */
export async function takeFromFaucet(
  context: TippingContext,
  { member, accountSince, origin }: Parameters<Faucet['take']>[0],
): Promise<FaucetShare> {
  const amount = faucetAmount(context)
  if (amount === undefined) throw new TippingRefusal('faucet-closed', {})
  await mustAcceptDeposits(context)
  const { interaction } = origin
  await context.once.perform({ interaction, verb: 'faucet', content: [member] }, async (digest) => {
    const [id, at] = [context.entropy.uuid(), now(context)]
    const give = () =>
      context.commit({
        entries: [{ operation: id, step: 'post', moves: [{ from: OPERATOR, to: memberAccount(member), amount }] }],
        // Fees and losses may make the operator's balance negative. Gifts may not.
        solvent: [OPERATOR],
        rows: [operationRow({ id, verb: 'faucet', record: id, interaction, digest, createdAt: at })],
        write: async (tx) => {
          const isNew = isNewAccount(accountSince, at)
          await spendShare(tx, { member, isNew, amount, at })
          await noteMember(tx, member, at)
        },
      })
    const orDry = (error: unknown): never => {
      throw error instanceof InsufficientFunds ? new TippingRefusal('faucet-dry', {}) : error
    }
    await give().catch(async (error: unknown) => {
      if (!(error instanceof InsufficientFunds && (await fillFaucet(context, dayOfShares(amount))))) orDry(error)
      await give().catch(orDry)
    })
    return id
  })
  await fillInTime(context, amount)
  return { amount, until: tomorrow(now(context)) }
}

/** Fills the faucet in the background before it is empty, so that the next members need not wait. */
async function fillInTime(context: TippingContext, amount: Msats): Promise<void> {
  if ((await context.ledger.balance(OPERATOR)) >= amount * SHARES_LEFT) return
  void context.activity.run('fill the faucet', () => fillFaucet(context, dayOfShares(amount)))
}

function dayOfShares(amount: Msats): Msats {
  return msats(amount * SHARES_A_DAY)
}

interface Share {
  readonly member: string
  readonly isNew: boolean
  readonly amount: Msats
  readonly at: Date
}

/**
 * Records a share, in the transaction that moves it: one a day for a Discord account and for every Lightning account
 * ever linked to it, and a limited number a day for all members.
 */
async function spendShare(tx: Tx, { member, isNew, amount, at }: Share): Promise<void> {
  const day = dayOf(at)
  const links = await tx.link.findMany({ where: { member }, select: { lightningId: true } })
  const lightning = [...new Set(links.map(({ lightningId }) => `faucet:lightning:${lightningId}`))]
  for (const key of [`faucet:member:${member}`, ...lightning]) {
    if ((await tx.usage.findUnique({ where: { key_day: { key, day } } })) !== null) {
      throw new TippingRefusal('faucet-taken', { until: tomorrow(at) })
    }
    await tx.usage.create({ data: { key, day, used: amount, cap: amount } })
  }
  if (isNew) await count(tx, 'faucet:new', SHARES_OF_NEW_ACCOUNTS, { amount, at })
  await count(tx, 'faucet', SHARES_A_DAY, { amount, at })
}

async function count(tx: Tx, key: string, shares: bigint, { amount, at }: Pick<Share, 'amount' | 'at'>): Promise<void> {
  const [day, cap] = [dayOf(at), amount * shares]
  const where = { key_day: { key, day } }
  const used = ((await tx.usage.findUnique({ where }))?.used ?? 0n) + amount
  if (used > cap) throw new TippingRefusal('faucet-empty', { until: tomorrow(at) })
  await tx.usage.upsert({ where, create: { key, day, used, cap }, update: { used, cap } })
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

function tomorrow(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS + DAY_MS)
}
