import { type FromPool, type GiftSource, MAX_REWARD_REASON } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Asking, Options } from '../interactions/command.ts'
import { serverOfModerator } from '../interactions/in-server.ts'
import { small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'

/** Options that let the server's pool pay instead of a moderator's balance. */
export const FROM_POOL = {
  from: { kind: 'text', choices: ['balance', 'pool'] },
  reason: { kind: 'text', longest: MAX_REWARD_REASON },
} as const satisfies Options

/** Options that let the giver's own wallet or the server's pool pay instead of the giver's balance. */
export const FROM_ANY = {
  ...FROM_POOL,
  from: { kind: 'text', choices: ['balance', 'wallet', 'pool'] },
} as const satisfies Options

/** The sources that a giver may choose. */
export type From = 'balance' | 'wallet' | 'pool'

/** Returns the giver's own source: their balance or wallet. Returns undefined if they chose none, or chose the pool. */
export function ownSource(from: From | undefined): GiftSource | undefined {
  return from === 'pool' ? undefined : from
}

interface Given {
  readonly from: From | undefined
  readonly reason: string | undefined
}

/**
 * Returns the pool that must pay; undefined if it was not chosen. Throws CommandRefusal for people who may not spend
 * from the pool, and for a reason without the pool.
 */
export async function poolToPay(
  asking: Pick<Asking, 'guild' | 'caller'>,
  { from, reason }: Given,
): Promise<FromPool | undefined> {
  if (from !== 'pool') {
    if (reason) throw new CommandRefusal('commandRefusals.reason-without-pool')
    return undefined
  }
  return { guild: await serverOfModerator(asking), roles: asking.caller.roles, reason: reason ?? '' }
}

interface Reasoned {
  readonly reason: string | undefined
}

/** Returns lines for a gift's card which say that a pool pays, and why. */
export function poolLines(gift: Reasoned, t: Translator): string[] {
  const lines = reasonLines(gift)
  return lines.length === 0 ? [] : [...lines, small(t('pool.pays'))]
}

/** Returns a line that states why a server pays, if there is a reason. */
export function reasonLines({ reason }: Reasoned): string[] {
  return reason === undefined ? [] : [`> ${quotable(reason, MAX_REWARD_REASON)}`]
}
