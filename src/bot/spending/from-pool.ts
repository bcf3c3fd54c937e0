import { type FromPool, MAX_REWARD_REASON } from '../../tipping/tipping.ts'
import type { Asking, Options } from '../discord/command.ts'
import { CommandRefusal } from '../discord/command-refusal.ts'
import { serverOfModerator } from '../discord/in-server.ts'
import { small } from '../discord/panel.ts'
import { quotable } from '../discord/quotable.ts'
import type { Translator } from '../i18n/translator.ts'

/** With these a moderator has the server's pool pay, and not their balance. */
export const FROM_POOL = {
  from: { kind: 'text', choices: ['balance', 'pool'] },
  reason: { kind: 'text', longest: MAX_REWARD_REASON },
} as const satisfies Options

interface Given {
  readonly from: 'balance' | 'pool' | undefined
  readonly reason: string | undefined
}

/** The pool that is to pay; undefined for the balance. Throws CommandRefusal for who may not spend it. */
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

/** Why a pool pays, and that it does, for the gift's card. */
export function poolLines({ reason }: { readonly reason: string | undefined }, t: Translator): string[] {
  return reason === undefined ? [] : [`> ${quotable(reason, MAX_REWARD_REASON)}`, small(t('pool.pays'))]
}
