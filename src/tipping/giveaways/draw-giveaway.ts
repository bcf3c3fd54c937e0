import { AlreadyWritten } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { drawLine, inOrder, keyOfDraw } from '../../lib/proofs/provable-draw.ts'
import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import { giverOf } from '../core/giver.ts'
import { noteDue, planOnward, startOnward } from '../engine/gifts/onward.ts'
import { type RecipientStatus, recipientStatuses } from '../engine/gifts/recipients.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Giveaway, GiveawayEntry } from '../generated/client.ts'

/** The line that the seed and the beacon put a sealed giveaway's entrants in, as far as `count`. */
export async function lineOf(
  context: TippingContext,
  giveaway: Pick<Giveaway, 'id' | 'seed' | 'beaconSignature' | 'entrantsHash'>,
  count: number,
): Promise<GiveawayEntry[]> {
  const entrants = await context.database.read.giveawayEntry.findMany({ where: { giveawayId: giveaway.id } })
  if (giveaway.entrantsHash === null) throw new Error(`giveaway ${giveaway.id} is not sealed`)
  const key = keyOfDraw(Buffer.from(giveaway.seed, 'hex'), giveaway.beaconSignature)
  return drawLine(key, giveaway.entrantsHash, inOrder(entrants), count)
}

/**
 * Draws a sealed giveaway: every winner is paid from the pot, the rest goes back, the seed is revealed, all in one
 * change. Of two that draw, the second changes nothing. The signature is that of its beacon's round, verified; null: the seed alone draws.
 */
export async function drawGiveaway(context: TippingContext, id: string, beaconSignature: string | null): Promise<void> {
  const giveaway = await context.database.read.giveaway.findUnique({ where: { id } })
  if (giveaway?.state !== 'sealed') return
  const winners = (await lineOf(context, { ...giveaway, beaconSignature }, giveaway.winners)).map(
    ({ member }) => member,
  )
  const people = await recipientStatuses(context.database.read, winners)
  const [card, at] = [context.entropy.uuid(), now(context)]
  const prizes = winners.map((member, place) =>
    planPrize(context, { giveaway, member, place, again: false, card, at, status: people.get(member) }),
  )
  const returned = giveaway.prize * BigInt(giveaway.winners - winners.length)
  const giver = giverOf({ giver: giveaway.starter, pool: giveaway.pool })
  try {
    await context.commit({
      entries: [
        {
          operation: id,
          step: 'post',
          moves: [
            ...winners.map((member) => ({ from: pot(id), to: memberAccount(member), amount: msats(giveaway.prize) })),
            { from: pot(id), to: giver.account, amount: msats(returned) },
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
          data: { state: 'drawn', beaconSignature, endedAt: at },
        })
        await noteDue(
          context,
          tx,
          prizes.map(({ onward }) => onward),
        )
        await context.cards.raise(tx, [giveaway.card])
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

/** A prize that is credited, and goes on to the winner's Lightning account where there is one. */
export function planPrize(
  context: TippingContext,
  prize: {
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
  const id = context.entropy.uuid()
  const gift = { cause: id, card, member, amount: msats(giveaway.prize), description: 'Won in a giveaway', at }
  const onward = planOnward(context, status, gift)
  const values = { id, giveawayId: giveaway.id, place, member, again, card, createdAt: at }
  return {
    id,
    onward,
    rows: [{ table: 'GiveawayWin', values }, ...onward.rows],
  }
}
