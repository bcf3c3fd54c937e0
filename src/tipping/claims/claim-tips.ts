import { AlreadyWritten } from '../../ledger/ledger.ts'
import { batchLookUps } from '../../lib/batch-look-ups.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { giverOf } from '../core/giver.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { noteDue, planOnward, startOnward } from '../engine/gifts/onward.ts'
import { recipientStatuses } from '../engine/gifts/recipients.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { ClaimCommand, ClaimView } from './claims.ts'
import { viewClaim } from './view-claim.ts'

/** The most shares of one claim; another claim is needed for the rest. */
const BATCH_SIZE = 500
/** The most people that a refusal names. */
const MAX_NAMED = 10

/**
 * Returns a function that checks whether any tips wait for a member. Every command calls this function, so simultaneous
 * look-ups are grouped.
 */
export function lookForUnclaimed({ database }: Pick<TippingContext, 'database'>): (member: string) => Promise<boolean> {
  const find = batchLookUps(async (members) => {
    const shares = await database.read.tipShare.groupBy({
      by: ['recipient'],
      where: { recipient: { in: [...members] }, state: 'parked' },
    })
    return new Map(shares.map(({ recipient }) => [recipient, true]))
  })
  return async (member) => (await find(member)) ?? false
}

/**
 * Returns how much a claim would now add to a member's balance, in msats, without the part that would be forwarded to
 * their linked account.
 */
export async function addedByClaim(context: TippingContext, member: string): Promise<Msats> {
  const unclaimed = await readUnclaimed(context, member)
  const amount = sumOf(unclaimed)
  const status = (await recipientStatuses(context.database.read, [member])).get(member)
  const gift = { cause: '', card: '', member, amount, description: '', at: now(context) }
  const { entries } = planOnward(context, status, gift)
  return msats(amount - sumOf(entries.flatMap(({ moves }) => moves)))
}

/** Claims everything that waits for a member. If the member is linked, a payout of the sum follows. */
export async function claimTips(context: TippingContext, command: ClaimCommand): Promise<ClaimView> {
  const { member, origin } = command
  const id = await context.once.perform(
    { interaction: origin.interaction, verb: 'claim', content: [member] },
    (digest) => perform(context, command, digest),
  )
  return await viewClaim(context, id)
}

function readUnclaimed({ database }: ReadonlyBook, member: string) {
  return database.read.tipShare.findMany({
    where: { recipient: member, state: 'parked' },
    include: { tip: true },
    orderBy: { until: 'asc' },
    take: BATCH_SIZE,
  })
}

function sumOf(parts: readonly { readonly amount: bigint }[]): Msats {
  return msats(parts.reduce((sum, { amount }) => sum + amount, 0n))
}

/**
 * Returns the refusal for a member for whom nothing waits. The refusal names the recipients if the member pressed the
 * button under other people's tips.
 */
async function nothingFor({ database }: ReadonlyBook, { member, under }: ClaimCommand): Promise<TippingRefusal> {
  const members = under === undefined ? [] : await peopleUnder(database.read, under)
  const isTheirs = members.length > 0 && !members.includes(member)
  return isTheirs ? new TippingRefusal('claim-not-yours', { members }) : new TippingRefusal('nothing-to-claim', {})
}

/**
 * Returns the recipients of the tips under which a button was pressed. A reward is found by the id of its tip's only
 * share.
 */
async function peopleUnder(read: Pick<Tx, 'operation' | 'tipShare'>, under: string) {
  const operation = await read.operation.findFirst({ where: { interaction: under, ordinal: 0 } })
  const id = operation?.record ?? under
  const where = { OR: [{ id }, { tip: { OR: [{ id }, { message: under }] } }] }
  const shares = await read.tipShare.findMany({ where, orderBy: { ordinal: 'asc' }, take: MAX_NAMED })
  return [...new Set(shares.map(({ recipient }) => recipient))]
}

async function perform(context: TippingContext, command: ClaimCommand, digest: string): Promise<string> {
  for (;;) {
    try {
      return await claim(context, command, digest)
    } catch (error) {
      // A tip was returned, or taken by another claim, at this moment. The rest is still there.
      if (!(error instanceof AlreadyWritten)) throw error
    }
  }
}

async function claim(context: TippingContext, command: ClaimCommand, digest: string): Promise<string> {
  const { member, origin } = command
  const unclaimed = await readUnclaimed(context, member)
  if (unclaimed.length === 0) throw await nothingFor(context, command)
  const [id, card, at] = [context.entropy.uuid(), context.entropy.uuid(), now(context)]
  const amount = sumOf(unclaimed)
  const status = (await recipientStatuses(context.database.read, [member])).get(member)
  const onward = planOnward(context, status, { cause: id, card, member, amount, description: 'Claimed tips', at })
  await context.commit({
    entries: [
      ...unclaimed.map((share) => ({
        operation: share.id,
        step: 'post',
        moves: [
          {
            from: giverOf({ giver: share.tip.sender, pool: share.tip.pool }).held,
            to: memberAccount(member),
            amount: msats(share.amount),
          },
        ],
      })),
      ...onward.entries,
    ],
    rows: [
      operationRow({ id, verb: 'claim', record: id, interaction: origin.interaction, digest, createdAt: at }),
      { table: 'Claim', values: { id, member, amount, card, createdAt: at } },
      ...onward.rows,
      context.cards.row({ id: card, kind: 'claim', record: id, audience: { member }, origin }),
    ],
    write: async (tx) => {
      await noteMember(tx, member, at)
      await noteDue(context, tx, [onward])
      await tx.tipShare.updateMany({
        where: { id: { in: unclaimed.map((share) => share.id) }, state: 'parked' },
        data: { state: 'claimed', claimId: id },
      })
      await context.cards.raise(
        tx,
        unclaimed.map((share) => share.tip.card),
      )
    },
  })
  await startOnward(context, [onward])
  return id
}
