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

/** Does the same for gifts to people who come later: the giver's own wallet can be chosen, too. */
export const FROM_ANY = {
  ...FROM_POOL,
  from: { kind: 'text', choices: ['balance', 'wallet', 'pool'] },
} as const satisfies Options

/** The sources that a giver may choose. */
export type From = 'balance' | 'wallet' | 'pool'

/** Returns the giver's own source; undefined if none was chosen, or the pool. */
export function ownSource(from: From | undefined): GiftSource | undefined {
  return from === 'pool' ? undefined : from
}

interface Given {
  readonly from: From | undefined
  readonly reason: string | undefined
}

/** Returns the pool that must pay; undefined for the balance. Throws CommandRefusal for people who may not spend it. */
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

/** Shows on the gift's card that a pool pays, and why. */
export function poolLines(gift: Reasoned, t: Translator): string[] {
  const lines = reasonLines(gift)
  return lines.length === 0 ? [] : [...lines, small(t('pool.pays'))]
}

/** Shows why a server pays. */
export function reasonLines({ reason }: Reasoned): string[] {
  return reason === undefined ? [] : [`> ${quotable(reason, MAX_REWARD_REASON)}`]
}
