import { AlreadyWritten } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import { giverOf } from '../core/giver.ts'
import { noteDue, planOnward, startOnward } from '../engine/gifts/onward.ts'
import { type RecipientStatus, recipientStatuses } from '../engine/gifts/recipients.ts'
import { logReturn } from '../engine/spending/log-return.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Giveaway } from '../generated/client.ts'
import { lineOf } from './line-of-draw.ts'
import { nameWinners } from './name-winners.ts'

/**
 * Draws a sealed giveaway, and reveals the seed. If winners must claim their prizes, names them and leaves the prizes
 * in the pot. Otherwise pays every winner from the pot, and returns the rest. All of this is one change, so the second
 * of two simultaneous draws changes nothing. `beaconSignature`: the verified signature of the beacon's round; null if
 * the seed alone decides.
 */
export async function drawGiveaway(context: TippingContext, id: string, beaconSignature: string | null): Promise<void> {
  const giveaway = await context.database.read.giveaway.findUnique({ where: { id } })
  if (giveaway?.state !== 'sealed') return
  const line = await lineOf(context, { ...giveaway, beaconSignature }, giveaway.winners)
  const winners = line.map(({ member }) => member)
  if (giveaway.claimMinutes !== null && winners.length > 0) {
    const draw = { state: 'drawn', beaconSignature, endedAt: now(context) }
    await nameWinners(context, giveaway, { round: 0, place: 0, members: winners, draw })
    return
  }
  await payWinners(context, giveaway, winners, beaconSignature)
}

async function payWinners(
  context: TippingContext,
  giveaway: Giveaway,
  winners: readonly string[],
  beaconSignature: string | null,
): Promise<void> {
  const { id } = giveaway
  const people = await recipientStatuses(context.database.read, winners)
  const [card, at] = [context.entropy.uuid(), now(context)]
  const prizes = winners.map((member, place) =>
    planPrize(context, { giveaway, member, place, again: false, card, at, status: people.get(member) }),
  )
  const returned = msats(giveaway.prize * BigInt(giveaway.winners - winners.length))
  const giver = giverOf({ giver: giveaway.starter, pool: giveaway.pool })
  try {
    await context.commit({
      entries: [
        {
          operation: id,
          step: 'post',
          moves: [
            ...winners.map((member) => ({ from: pot(id), to: memberAccount(member), amount: msats(giveaway.prize) })),
            { from: pot(id), to: giver.account, amount: returned },
          ],
        },
        ...prizes.flatMap(({ onward }) => onward.entries),
      ],
      rows: [
        ...prizes.flatMap(({ rows }) => rows),
        context.cards.row({ id: card, kind: 'giveaway-drawn', record: id, audience: { channel: giveaway.channel } }),
      ],
      write: async (tx) => {
        await tx.giveaway.update({
          where: { id, state: 'sealed' },
          // Nobody entered, so nothing can be claimed.
          data: {
            state: 'drawn',
            beaconSignature,
            endedAt: at,
            ...(giveaway.claimMinutes !== null && { settledAt: at }),
          },
        })
        await noteDue(
          context,
          tx,
          prizes.map(({ onward }) => onward),
        )
        await context.cards.raise(tx, [giveaway.card])
        await logReturn(context, tx, { pool: giveaway.pool, by: null, record: id, amount: returned })
      },
    })
  } catch (error) {
    if (!(error instanceof AlreadyWritten)) throw error
    return
  }
  await startOnward(
    context,
    prizes.map(({ onward }) => onward),
  )
}

/** Returns the writes for a prize, including those that forward it if the winner wants that. */
export function planPrize(
  context: TippingContext,
  prize: {
    /** The claim's id, if there is one. */
    readonly id?: string
    readonly giveaway: Giveaway
    readonly member: string
    readonly place: number
    readonly again: boolean
    readonly card: string
    readonly at: Date
    readonly status: RecipientStatus | undefined
  },
) {
  const { giveaway, member, place, again, card, at, status } = prize
  const { id = context.entropy.uuid() } = prize
  const gift = { cause: id, card, member, amount: msats(giveaway.prize), description: 'Won in a giveaway', at }
  const onward = planOnward(context, status, gift)
  const values = { id, giveawayId: giveaway.id, place, member, again, card, createdAt: at }
  return {
    id,
    onward,
    rows: [{ table: 'GiveawayWin', values }, ...onward.rows],
  }
}
