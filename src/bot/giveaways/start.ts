import type { Asking, Outcome } from '../discord/command.ts'
import { poolToPay } from '../spending/from-pool.ts'
import { confirmationOutcome, giveawayConfirm } from '../tips/buttons.ts'

/** Of holders of the role that has more. */
const DEFAULT_CHANCES = 2

/** What a giveaway takes, typed with the command or filled into its form. */
export interface GiveawayGiven {
  readonly prize: string
  readonly winners: number
  readonly duration: string
  readonly role: string | undefined
  readonly minAgeDays: number | undefined
  readonly bonusRole: string | undefined
  /** Of its holders. */
  readonly bonusChances: number | undefined
  readonly from: 'balance' | 'pool' | undefined
  readonly reason: string | undefined
}

export async function startGiveaway(asking: Asking, given: GiveawayGiven): Promise<Outcome> {
  const { member, guild, caller, origin, tipping, t } = asking
  const { prize, winners, duration, role, minAgeDays, bonusRole, bonusChances = DEFAULT_CHANCES } = given
  const pool = await poolToPay({ guild, caller }, given)
  const command = {
    ...{ member, prize, winners, duration, minAgeDays, origin },
    // Everybody has the role that bears the server's own id.
    role: role === guild ? undefined : role,
    ...(bonusRole !== undefined && { bonus: { role: bonusRole, chances: bonusChances } }),
    accountSince: caller.accountSince,
  }
  if (pool !== undefined) return { card: (await tipping.giveaways.startFromPool({ ...command, pool })).card }
  const started = await tipping.giveaways.ask(command)
  return 'asked' in started ? confirmationOutcome(started, t, giveawayConfirm.verb) : { card: started.card }
}
