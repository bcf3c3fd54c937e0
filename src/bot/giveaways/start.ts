import { giveawayConfirm } from '../confirmations/buttons.ts'
import { confirmationOutcome } from '../confirmations/question.ts'
import type { Asking, Outcome } from '../interactions/command.ts'
import { optionUnused } from '../refusals/option-unused.ts'
import { poolToPay } from '../spending/from-pool.ts'

/** The default number of chances for each member of the bonus role. */
const DEFAULT_CHANCES = 2

/** A giveaway's terms, typed with the command or entered in its form. */
export interface GiveawayGiven {
  readonly prize: string
  readonly winners: number
  readonly duration: string
  /** The first required role, which can be picked in the form. */
  readonly role: string | undefined
  readonly moreRoles: readonly string[]
  readonly needsAll: boolean
  readonly maxEntries: number | undefined
  readonly minAgeDays: number | undefined
  readonly activeDays: number | undefined
  /** The time that winners have to claim, as typed. */
  readonly claimTime: string | undefined
  readonly bonusRole: string | undefined
  /** The number of chances for each member of the bonus role. */
  readonly bonusChances: number | undefined
  readonly from: 'balance' | 'pool' | undefined
  readonly reason: string | undefined
}

export async function startGiveaway(asking: Asking, given: GiveawayGiven): Promise<Outcome> {
  const { member, guild, caller, origin, tipping, t } = asking
  const {
    prize,
    winners,
    duration,
    maxEntries,
    minAgeDays,
    activeDays,
    claimTime,
    bonusRole,
    bonusChances = DEFAULT_CHANCES,
  } = given
  if (given.bonusChances !== undefined && bonusRole === undefined) {
    throw optionUnused('commands.giveaway.verbs.start.options.bonus-chances.name', t)
  }
  if (given.needsAll && [given.role, ...given.moreRoles].filter((role) => role !== undefined).length < 2) {
    throw optionUnused('commands.giveaway.verbs.start.options.roles.name', t)
  }
  const pool = await poolToPay({ guild, caller }, given)
  const command = {
    ...{ member, prize, winners, duration, maxEntries, minAgeDays, activeDays, claimTime, origin },
    roles: requiredRoles(given, guild),
    ...(bonusRole !== undefined && { bonus: { role: bonusRole, chances: bonusChances } }),
    accountSince: caller.accountSince,
  }
  if (pool !== undefined) return { card: (await tipping.giveaways.startFromPool({ ...command, pool })).card }
  const started = await tipping.giveaways.ask(command)
  return 'asked' in started ? confirmationOutcome(started, t, giveawayConfirm.verb) : { card: started.card }
}

/**
 * Returns the required roles. Everybody has the role with the server's own id: as one of several alternatives, this
 * role admits everybody; among roles that are all required, it adds nothing.
 */
function requiredRoles({ role, moreRoles, needsAll }: GiveawayGiven, guild: string | null) {
  const named = [...new Set([role, ...moreRoles])].filter((id) => id !== undefined)
  const ids = named.filter((id) => id !== guild)
  if (ids.length === 0 || (!needsAll && ids.length < named.length)) return undefined
  return { ids, need: needsAll ? ('all' as const) : ('any' as const) }
}
