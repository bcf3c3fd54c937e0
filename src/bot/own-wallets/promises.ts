import type { Translator } from '../i18n/translator.ts'
import type { Button, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { colour, mention, moment, panel } from '../messages/panel.ts'

/** Shows the promises of the person who presses it, each with a button that revokes the promise. */
export const promisesMine = {
  verb: 'promises',
  names: 'nothing',
  answer: 'private',
  async press({ member, tipping, t }: Press) {
    const promises = await tipping.ownWallets.promises(member)
    if (promises.length === 0) return { say: { content: t('promise.none') } }
    const lines = promises.map(({ to, amount, until }) =>
      t('promise.line', { who: mention(to), amount, until: moment(until) }),
    )
    const buttons = promises.map(({ id, amount }) =>
      button(promiseRevoke.verb, id, t('promise.revokeButton', { amount }), { emoji: '↩️' }),
    )
    return { say: { embeds: [panel(colour.satchel, lines, { title: t('promise.title') })], buttons } }
  },
} satisfies Button

/** Revokes one promise of the person who presses it. */
export const promiseRevoke = {
  verb: 'promise-revoke',
  names: 'own',
  answer: 'private',
  async press({ record: promise, member, tipping, t }: Press) {
    const { to, amount } = await tipping.ownWallets.revoke({ promise, member })
    return { say: { embeds: [panel(colour.over, t('promise.revoked', { who: mention(to), amount }))] } }
  },
} satisfies Button

export function promisesButton(t: Translator) {
  return button(promisesMine.verb, 'mine', t('promise.mineButton'), { emoji: '🤝' })
}
