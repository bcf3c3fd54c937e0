import { type Book, type CoreContext, now } from '../core/context.ts'
import { raiseAlert } from '../engine/alerts/alerts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { WindDown } from '../generated/client.ts'
import { beginDue } from './decide.ts'
import { endHoldings } from './end-holdings.ts'
import { type Turn, turns } from './next-payments.ts'
import { payOut } from './pay-out.ts'
import { tellEverybody } from './tell-everybody.ts'
import { currentWindDown } from './view-wind-down.ts'

/** The pause between two rounds, after which a failed way may work again and unused fee reserves have come back. */
export const ROUND_PAUSE_MS = 10 * 60_000
/** The most members that are paid at the same time. */
const MAX_CONCURRENT = 16

/**
 * Advances a wind-down: tells and reminds members, and from its date on pays them a round at a time, with an audit
 * after each. Only the bot that maintains the book may call it, at intervals. Pays nothing while the clock is doubted
 * or outgoing payments are paused.
 */
export async function driveWindDown(context: TippingContext, audit: () => Promise<unknown>): Promise<void> {
  const windDown = await currentWindDown(context.database.read)
  if (windDown?.state === 'proposed') return await beginDue(context, windDown)
  if (windDown?.state !== 'on' || !context.clockWatch.isSteady()) return
  const at = context.clock.now()
  if (at < windDown.by.getTime()) {
    await tellEverybody(context, windDown, 'told')
    if (at >= (windDown.remindAt ?? windDown.by).getTime()) await tellEverybody(context, windDown, 'reminded')
    return
  }
  // Tells members who got their sats in the last hours, or all members if a single operator's proposal took effect on
  // the date itself.
  if (windDown.round === 0) await tellEverybody(context, windDown, 'told')
  if (context.outgoingSwitch.open) await runRound(context, windDown, audit)
}

async function runRound(context: TippingContext, windDown: WindDown, audit: () => Promise<unknown>): Promise<void> {
  const { id, round, roundEndedAt } = windDown
  const isRunning = round > 0 && roundEndedAt === null
  if (roundEndedAt !== null && context.clock.now() < roundEndedAt.getTime() + ROUND_PAUSE_MS) return
  await endHoldings(context)
  const current = isRunning ? round : round + 1
  if (!isRunning) {
    // The first round also runs if no member has a balance. It ends records that hold sats, and the claim list waits
    // for it.
    if (round > 0 && !(await isAnythingToPay(context, id))) return
    await context.commit({
      write: async (tx) => {
        await context.ownership.assertHas(tx, 'upkeep')
        const where = { id, state: 'on', round }
        await tx.windDown.updateMany({ where, data: { round: current, roundEndedAt: null } })
      },
    })
  }
  await payRound(context, id, current)
  if (context.activity.closed) return
  await endRound(context, id, current)
  await audit()
}

/** Whether any member has a payment to try next. */
export async function isAnythingToPay(context: CoreContext, windDownId: string): Promise<boolean> {
  for await (const page of turns(context, windDownId)) if (page.some(({ next }) => next !== undefined)) return true
  return false
}

/** Gives each member one turn in a round. Members who had their turn before the bot stopped get no second turn. */
async function payRound(context: TippingContext, windDownId: string, round: number): Promise<void> {
  for await (const page of turns(context, windDownId)) {
    const waiting = page.filter(({ tried }) => tried.round < round)
    const work = async () => {
      for (let turn = waiting.shift(); turn !== undefined && mayGoOn(context); turn = waiting.shift()) {
        await take(context, windDownId, round, turn)
      }
    }
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
    if (!mayGoOn(context)) return
  }
}

function mayGoOn({ activity, outgoingSwitch }: TippingContext): boolean {
  return !activity.closed && outgoingSwitch.open
}

async function take(context: TippingContext, windDownId: string, round: number, { member, next }: Turn): Promise<void> {
  if (next === undefined) return
  // The activity logs errors, so one member's error does not prevent another's payment.
  await context.activity.run('wind-down', () => payOut(context, { windDownId, round, member }, next))
}

async function endRound(context: Book, id: string, round: number): Promise<void> {
  const { read } = context.database
  const { _count: tried } = await read.windDownAttempt.aggregate({ where: { windDownId: id, round }, _count: true })
  const { _sum } = await read.account.aggregate({ where: { kind: 'member' }, _sum: { balance: true } })
  const text = `round ${round} of the wind-down is over: ${tried} payments were tried, and balances of ${_sum.balance ?? 0n} msats are left`
  await context.commit({
    write: async (tx) => {
      await context.ownership.assertHas(tx, 'upkeep')
      const where = { id, round, roundEndedAt: null }
      const { count } = await tx.windDown.updateMany({ where, data: { roundEndedAt: now(context) } })
      if (count > 0) await raiseAlert(context, tx, { kind: 'wind-down-round', about: `${id} ${round}`, text })
    },
  })
}
