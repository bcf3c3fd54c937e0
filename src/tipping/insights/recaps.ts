import { msats } from '../../lib/money/amount.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Server } from '../generated/client.ts'
import type { RecapView } from './insights.ts'
import { type RecapFigures, recapFigures } from './recap-figures.ts'
import { lastPeriod } from './recap-period.ts'

/** How long after its end a period may still be posted, so that a server that switches recaps on gets no old one. */
const MAX_LATE_MS = 12 * 3_600_000
const MAX_SHOWN = 5

/**
 * Posts each server's recap of the last week or month, if the server wants one. A period of a server is one row with a
 * unique key, written together with the card, so each recap is posted only once, regardless of the number of processes
 * and crashes.
 */
export async function postRecaps(context: TippingContext): Promise<void> {
  // While the clocks disagree, nothing is posted early.
  if (!context.clockWatch.isSteady()) return
  const servers = await context.database.read.server.findMany({ where: { recapChannel: { not: null } } })
  for (const server of servers) {
    // A failure for one server does not delay others. The next round tries it again.
    await postRecap(context, server).catch((err: unknown) => {
      context.logger.warn({ err, guild: server.guild }, 'a recap could not be posted')
    })
  }
}

async function postRecap(context: TippingContext, { guild, timeZone, recapMonthly }: Server): Promise<void> {
  const { clock, database, entropy } = context
  const period = lastPeriod(recapMonthly ? 'month' : 'week', clock.now(), timeZone ?? 'UTC')
  if (clock.now() - period.until.getTime() > MAX_LATE_MS) return
  const key = { guild, period: period.name }
  if ((await database.read.recap.findFirst({ where: key })) !== null) return
  const figures = await recapFigures(context, guild, period)
  const isEmpty = figures.gifts === 0 && figures.pool === '0'
  const [id, card] = [entropy.uuid(), isEmpty ? null : entropy.uuid()]
  await context.commit({
    write: async (tx) => {
      const wanted = await tx.server.findFirst({ where: { guild } })
      const channel = wanted?.recapChannel
      if (channel == null || (await tx.recap.findFirst({ where: key })) !== null) return
      await tx.recap.create({ data: { id, ...key, figures: JSON.stringify(figures), card, createdAt: now(context) } })
      if (card === null) return
      // It belongs to the server, so it uses the server's language, and it answers no command.
      const origin = { interaction: `recap ${id}`, guild, channel, reply: '', locale: 'en' }
      await tx.card.create({
        data: context.cards.values({ id: card, kind: 'recap', record: id, audience: { channel }, origin }),
      })
    },
  })
}

/** Returns a recap's figures, without people who opted out. Throws TippingRefusal `not-there`. */
export async function viewRecap({ database: { read } }: ReadonlyBook, id: string): Promise<RecapView> {
  const recap = await read.recap.findUnique({ where: { id } })
  if (recap === null) throw new TippingRefusal('not-there', {})
  const { gifts, amount, pool, newcomers, thanks, streaks, days } = JSON.parse(recap.figures) as RecapFigures
  const named = [...thanks.flatMap(({ from, to }) => [from, to]), ...streaks.map(({ member }) => member)]
  const rows = await read.member.findMany({ where: { id: { in: named }, hidden: true }, select: { id: true } })
  const hidden = new Set(rows.map((row) => row.id))
  return {
    kind: recap.period.startsWith('month') ? 'month' : 'week',
    ...{ gifts, newcomers, amount: msats(BigInt(amount)), pool: msats(BigInt(pool)) },
    thanks: thanks.filter(({ from, to }) => !hidden.has(from) && !hidden.has(to)).slice(0, MAX_SHOWN),
    streaks: streaks.filter(({ member }) => !hidden.has(member)).slice(0, MAX_SHOWN),
    days: days.map((day) => ({ from: new Date(day.date), amount: msats(BigInt(day.amount)) })),
  }
}
