import type { APIButtonComponentWithCustomId } from 'discord.js'
import { MSATS_PER_SAT } from '../../lib/money/amount.ts'
import type { Translator } from '../i18n/translator.ts'
import type { FormButton, FormReply, Opening, Submission } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { colour, panel } from '../messages/panel.ts'

/** Opens the form that asks how much of the member's tips stays in the balance. */
export const keepSome = {
  verb: 'keep',
  names: 'nothing',
  async open({ member, t, tipping }: Opening) {
    const { keepHere } = await tipping.balances.view(member)
    return {
      verb: keepForm.verb,
      record: 'mine',
      title: t('link.keepButton'),
      fields: [
        {
          name: 'amount',
          label: t('link.keepLabel'),
          hint: t('link.keepHint'),
          longest: 40,
          value: (keepHere / MSATS_PER_SAT).toString(),
        },
      ],
    }
  },
} satisfies FormButton

export const keepForm = {
  verb: 'keep-form',
  names: 'nothing',
  answer: 'private',
  async submit({ member, origin, values, tipping, t }: Submission) {
    const amount = await tipping.forwarding.keep({ member, amount: values.amount ?? '', origin })
    const text = amount > 0n ? t('link.kept', { amount }) : t('link.keptNothing')
    return { say: { embeds: [panel(colour.done, text)] } }
  },
} satisfies FormReply

export function keepButton(t: Translator): APIButtonComponentWithCustomId {
  return button(keepSome.verb, 'mine', t('link.keepButton'), { emoji: '👜' })
}
