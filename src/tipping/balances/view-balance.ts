import { msats } from '../../lib/money/amount.ts'
import { within } from '../core/activity.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import { type CoreContext, now, type ReadonlyBook } from '../core/context.ts'
import { viewDeposit } from '../deposits/view-deposit.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { liveLink } from '../engine/payouts/live-link.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Deposit } from '../generated/client.ts'
import type { Link } from '../links/links.ts'
import { viewForwarding } from '../withdrawals/forward-state.ts'
import type { BalanceView } from './balances.ts'

/** How long the view of a balance waits for the member's present gamertag. */
const GAMERTAG_TIMEOUT_MS = 1_000

/** Returns everything about a member's own money. Also records the member as a user of the bot. */
export async function viewBalance(context: TippingContext, member: string): Promise<BalanceView> {
  const { read } = context.database
  const owner = await read.member.findFirst({ where: { id: member, forgottenAt: null } })
  // Stryker disable next-line ConditionalExpression: avoids noting somebody again.
  if (owner === null) {
    await context.commit({ write: (tx) => noteMember(tx, member, now(context)) })
  }
  const [available, held, unclaimed, waiting, link, sent, deposits] = await Promise.all([
    context.ledger.balance(memberAccount(member)),
    Promise.all(context.outgoingKinds.map((kind) => kind.held(read, member))),
    read.tipShare.aggregate({
      where: { recipient: member, state: 'parked' },
      _sum: { amount: true },
      _count: true,
      _min: { until: true },
    }),
    read.tipShare.aggregate({
      where: { tip: { sender: member, pool: null }, state: 'parked' },
      _sum: { amount: true },
    }),
    presentLink(context, member),
    sentToGamertag(context, member),
    read.deposit.findMany({ where: { member, state: 'open' }, orderBy: { createdAt: 'asc' } }),
  ])
  const until = unclaimed._min.until
  const viewed = (isListed: (deposit: Deposit) => boolean) =>
    deposits.filter(isListed).map((deposit) => viewDeposit(deposit, context.clock))
  return {
    available: msats(available),
    inFlight: msats(held.reduce((sum, each) => sum + each, 0n)),
    unclaimed:
      until === null ? undefined : { amount: msats(unclaimed._sum.amount ?? 0n), count: unclaimed._count, until },
    waitingForOthers: msats(waiting._sum.amount ?? 0n),
    link,
    forwarding: await viewForwarding(context, member),
    keepHere: msats(owner?.keepHere ?? 0n),
    sentToGamertag: sent,
    openDeposits: viewed((deposit) => deposit.closesAt === null),
    unpaidTips: viewed((deposit) => deposit.closesAt !== null),
  }
}

/** Returns the sum of all payments to a member's gamertag wallet. */
async function sentToGamertag({ database }: ReadonlyBook, member: string) {
  const sum = await database.read.payout.aggregate({ where: { member, state: 'paid' }, _sum: { amount: true } })
  return msats(sum._sum.amount ?? 0n)
}

/**
 * Returns a member's link with its present gamertag, or with the last known gamertag if the provider is slow; undefined
 * if the member has no link.
 */
async function presentLink(context: CoreContext, member: string): Promise<Link | undefined> {
  const link = await liveLink(context.database.read, member)
  if (!link) return undefined
  let { gamertag } = link
  const asked = context.payments.getGamertagByUserId({ id: link.lightningId }).then((answer) => {
    gamertag = answer.data.gamertag
  })
  await within(context.clock, asked, GAMERTAG_TIMEOUT_MS)
  // Stryker disable next-line ConditionalExpression: avoids writing an unchanged link.
  if (gamertag !== link.gamertag) {
    await context.commit({
      write: (tx) =>
        tx.link.updateMany({ where: { member, lightningId: link.lightningId, endedAt: null }, data: { gamertag } }),
    })
  }
  return { lightningId: link.lightningId, gamertag }
}
