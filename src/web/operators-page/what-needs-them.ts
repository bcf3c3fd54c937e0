import { formatSats } from '../../lib/money/amount.ts'
import { utcMinute } from '../../lib/utc-minute.ts'
import { PAUSE_ENDS } from '../../tipping/tipping.ts'
import type { OperatorsFigures } from './figures.ts'

const PAUSED = {
  cover: 'Outgoing payments are paused by the audit',
  operator: 'Outgoing payments are paused by an operator',
  restore: 'Outgoing payments are paused because the books come from a backup',
} as const

/** A matter that an operator must look at now. */
export interface Need {
  readonly what: string
  /** The next step, on Discord or at the machine. */
  readonly next: string
  /** The button or section of the console that deals with the matter. */
  readonly action?: 'audit' | 'resume' | 'decide' | 'suspense' | 'redeliver'
}

function endOf({ proposed, by, dueAt }: NonNullable<OperatorsFigures['bot']['ending']>): Need {
  const day = by.toISOString().slice(0, 10)
  if (!proposed) {
    const what = `This bot is shutting down: deposits are closed, and balances are paid out from ${day} on.`
    return { what, next: 'Keep it running. /admin wind-down says how far it is.' }
  }
  const how =
    dueAt === undefined
      ? `A second operator agrees with /admin wind-down and the date ${day}.`
      : `It takes effect on ${utcMinute(dueAt)}.`
  return {
    what: `An operator proposes that this bot ends on ${day}.`,
    next: `${how} /admin cancel takes the proposal back.`,
  }
}

/** Lists matters that need an operator, the most urgent first. */
export function whatNeedsThem({ bot, service, testMoney }: OperatorsFigures): Need[] {
  const { proven } = bot.status
  const needs: Need[] = []
  if (proven?.holds === false)
    needs.push({
      what: 'The books and the wallet did not agree.',
      next: 'Use /admin audit, or run npm run audit.',
      action: 'audit',
    })
  for (const { source, reason } of bot.pauses) {
    const action = source === 'operator' ? 'resume' : 'audit'
    needs.push({ what: `${PAUSED[source]}: “${reason}”.`, next: PAUSE_ENDS[source], action })
  }
  if (bot.ending !== undefined) needs.push(endOf(bot.ending))
  const { length } = bot.unknown
  if (length > 0)
    needs.push({
      what: `${length} ${length === 1 ? 'payment has' : 'payments have'} an unknown outcome.`,
      next: 'Use /admin unknown, then /admin decide.',
      action: 'decide',
    })
  if (bot.suspense > 0n)
    needs.push({
      what: `${formatSats(bot.suspense)} ${testMoney ? 'test sats' : 'sats'} arrived, and their owner is unknown.`,
      next: 'Use /admin suspense to give them to their owner.',
      action: 'suspense',
    })
  if (proven !== undefined && proven.wallet === undefined)
    needs.push({
      what: 'The provider did not say what the wallet holds.',
      next: 'Check whether it runs.',
      action: 'audit',
    })
  if (service?.node.ready === false)
    needs.push({ what: service.node.reason ?? 'The Lightning node cannot be used.', next: 'Check whether it runs.' })
  const given = service?.callbacks.deadLettered ?? 0
  if (given > 0)
    needs.push({
      what: `${given} ${given === 1 ? 'callback was' : 'callbacks were'} given up.`,
      next: 'Fix the receiver, then npm run -s admin -- callbacks redeliver.',
      action: 'redeliver',
    })
  return needs
}
