import { utcMinute } from '../../lib/utc-minute.ts'
import { assertMayTakeEffect, DELAY, dueAlone, dueNow } from '../adjustments/lone-word.ts'
import { type Book, now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { person, raiseAlert } from '../engine/alerts/alerts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { WindDown } from '../generated/client.ts'
import { currentWindDown, viewWindDown } from './view-wind-down.ts'
import type { WindDowns, WindDownView } from './wind-down.ts'

const DAY_MS = 24 * 3_600_000
/**
 * The least and the greatest number of days until the date: members need time to withdraw their sats, and a date beyond
 * `MAX_DAYS` is a typing mistake.
 */
const MIN_DAYS = 1
const MAX_DAYS = 366
/** How long before the date people are reminded. They are reminded halfway to the date if that is later. */
const REMIND_BEFORE_MS = 3 * DAY_MS

/** Proposes a date for the wind-down, or starts it if another operator has proposed the same date. */
export async function startWindDown(
  context: Book,
  { by: typed, operator }: Parameters<WindDowns['start']>[0],
): Promise<WindDownView> {
  const by = readDay(context, typed)
  const open = await currentWindDown(context.database.read)
  if (open === undefined) await propose(context, by, operator)
  else if (open.state !== 'proposed' || open.by.getTime() !== by.getTime()) {
    throw new TippingRefusal('wind-down-already', { until: open.by })
  } else if (open.proposedBy === operator) throw saidAlready(open)
  else await begin(context, open, operator)
  const view = await viewWindDown(context)
  // Another operator may have stopped it meanwhile.
  if (view === undefined) throw new TippingRefusal('wind-down-none', {})
  return view
}

function saidAlready({ dueAt }: Pick<WindDown, 'dueAt'>): TippingRefusal {
  return dueAt === null
    ? new TippingRefusal('decision-needs-another', {})
    : new TippingRefusal('proposal-waits', { until: dueAt })
}

/** Reads a date such as `2030-01-31` as the beginning of that day (UTC). Throws TippingRefusal `wind-down-date`. */
function readDay({ clock }: Pick<TippingContext, 'clock'>, typed: string): Date {
  const text = typed.trim()
  const by = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN)
  const days = (by.getTime() - clock.now()) / DAY_MS
  // A Date turns February 31st into March 3rd.
  const isDay = !Number.isNaN(days) && by.toISOString().startsWith(text)
  if (!isDay || days < MIN_DAYS || days > MAX_DAYS) throw new TippingRefusal('wind-down-date', { text })
  return by
}

async function propose(context: Book, by: Date, operator: string): Promise<void> {
  const id = context.entropy.uuid()
  await context.commit({
    write: async (tx) => {
      // The same command may arrive twice at the same time.
      const open = await currentWindDown(tx)
      if (open !== undefined) throw new TippingRefusal('wind-down-already', { until: open.by })
      const dueAt = await dueAlone(context, tx)
      const data = { id, by, state: 'proposed', place: 1, proposedBy: operator, proposedAt: now(context), dueAt }
      await tx.windDown.create({ data })
      const next =
        dueAt === null
          ? 'It needs the confirmation of a second operator: /admin wind-down, or satchel wind-down'
          : `It takes effect on ${utcMinute(dueAt)}, unless it is cancelled: /admin cancel`
      const text = `${person(operator)} proposes that this bot ends on ${utcMinute(by)}. ${next}`
      await raiseAlert(context, tx, { kind: 'wind-down-proposed', about: id, text })
    },
  })
}

/** Starts a single operator's proposed wind-down after the delay. Only the bot that maintains the book may call it. */
export async function beginDue(context: Book, open: WindDown): Promise<void> {
  const { dueAt } = open
  const now = dueNow(context)?.dueAt.lte
  if (dueAt !== null && now !== undefined && dueAt <= now) await begin(context, open, DELAY)
}

async function begin(context: Book, { id, by, proposedBy }: WindDown, operator: string): Promise<void> {
  const at = now(context)
  const leftMs = by.getTime() - at.getTime()
  const remindAt = new Date(by.getTime() - Math.min(REMIND_BEFORE_MS, leftMs / 2))
  const isAlone = operator === DELAY
  await context.commit({
    write: async (tx) => {
      if (isAlone) await assertMayTakeEffect(context, tx)
      const data = { state: 'on', secondedBy: operator, secondedAt: at, remindAt }
      const { count } = await tx.windDown.updateMany({ where: { id, state: 'proposed' }, data })
      // A third operator was faster.
      if (count === 0) return
      const who = isAlone ? person(proposedBy) : `${person(proposedBy)} and ${person(operator)}`
      const text = `The wind-down that ${who} decided has begun: deposits are closed, and balances are paid out from ${utcMinute(by)} on`
      await raiseAlert(context, tx, { kind: 'wind-down-begun', about: id, text })
    },
  })
}

/** The most cards that one statement redraws. */
const BATCH_SIZE = 500

/**
 * Stops the wind-down, so that the bot continues. Sums already paid out stay paid. Everybody's message then shows that
 * the wind-down was stopped. Once a claim list exists, stopping is too late, because a successor may have honoured the
 * list.
 */
export async function stopWindDown(
  context: TippingContext,
  { operator }: Parameters<WindDowns['stop']>[0],
): Promise<void> {
  await context.commit({
    write: async (tx) => {
      const open = await currentWindDown(tx)
      if (open === undefined || open.state === 'proposed') throw new TippingRefusal('wind-down-none', {})
      if ((await tx.windDownClaim.count({ where: { windDownId: open.id } })) > 0) {
        throw new TippingRefusal('wind-down-listed', {})
      }
      const data = { state: 'stopped', place: null, endedAt: now(context) }
      await tx.windDown.update({ where: { id: open.id }, data })
      await tellAgain(context, tx, open.id)
      const text = `${person(operator)} stopped the wind-down: deposits are open again`
      await raiseAlert(context, tx, { kind: 'wind-down-stopped', about: open.id, text })
    },
  })
}

/** Has everybody's message redrawn with the wind-down's present state. */
export async function tellAgain(context: TippingContext, tx: Tx, windDownId: string): Promise<void> {
  const notices = await tx.windDownNotice.findMany({ where: { windDownId }, select: { card: true } })
  for (let from = 0; from < notices.length; from += BATCH_SIZE) {
    await context.cards.raise(
      tx,
      notices.slice(from, from + BATCH_SIZE).map(({ card }) => card),
    )
  }
}
