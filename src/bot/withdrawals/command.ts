import type { Tipping } from '../../tipping/tipping.ts'
import { suggestSendable } from '../amounts/suggestions.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Asking, Call, Command, FormReply, Options, Outcome, Submission } from '../interactions/command.ts'
import { drawAsked } from './card.ts'
import { readPicture } from './read-picture.ts'

const options = {
  amount: { kind: 'text', longest: 40, suggest: suggestSendable },
  to: { kind: 'text' },
} as const satisfies Options

const MAX_DESTINATION_LENGTH = 2_000

export const withdraw = {
  name: 'withdraw',
  answer: 'private',
  where: 'anywhere',
  guests: true,
  options,
  /** Returns a form with a field to paste an invoice, if the command has no input. */
  form({ options: { amount, to }, t, tipping }) {
    if (amount !== undefined || to !== undefined) return undefined
    const [hint, amountHint] = [t('withdrawal.formToHint'), t('withdrawal.formAmountHint')]
    return {
      verb: withdrawForm.verb,
      record: 'new',
      title: t('withdrawal.formTitle'),
      fields: [
        { name: 'to', label: labelOfDestination(tipping, t), hint, longest: MAX_DESTINATION_LENGTH, optional: true },
        {
          name: 'picture',
          label: t('withdrawal.formPicture'),
          hint: t('withdrawal.formPictureHint'),
          upload: 'picture',
          optional: true,
        },
        { name: 'amount', label: t('withdrawal.formAmount'), hint: amountHint, longest: 40, optional: true },
      ],
    }
  },
  run: (call: Call<typeof options>) => ask(call, call.options),
} satisfies Command<typeof options>

/** Returns a label with the possible destinations, as far as the provider has described them. */
function labelOfDestination({ offers: { pays, names } }: Pick<Tipping, 'offers'>, t: Translator): string {
  if (!pays) return t('withdrawal.formTo')
  return t(names ? 'withdrawal.formToName' : 'withdrawal.formToOffer')
}

/**
 * Prepares a withdrawal to the destination in the form's pasted text, or else in the code in a picture. An empty field
 * counts as missing.
 */
export const withdrawForm = {
  verb: 'withdraw-form',
  names: 'nothing',
  answer: 'private',
  async submit(submission: Submission) {
    const { values, pictures } = submission
    const amount = given(values.amount)
    const to = given(values.to) ?? (pictures.picture && (await readPicture(pictures.picture)))
    return await ask(submission, { to, amount })
  },
} satisfies FormReply

function given(text = ''): string | undefined {
  return text.trim() === '' ? undefined : text
}

async function ask(
  { member, origin, tipping, t }: Asking,
  typed: { readonly to?: string | undefined; readonly amount?: string | undefined },
): Promise<Outcome> {
  const { to, amount } = typed.to === undefined ? parted(typed.amount) : typed
  const command = { member, origin, ...(to !== undefined && { to }), ...(amount !== undefined && { amount }) }
  return { say: drawAsked(await tipping.withdrawals.ask(command), tipping, t) }
}

/** The pattern of a word that is a destination. Any other word may be a unit. */
const DESTINATION = /^(?:\S*@\S*|(?:lightning:|ln)\S{8,}|[a-z0-9]{26,})$/i

/**
 * Separates the amount from the destination if people type both into the option for the amount: `500 you@wallet.com`,
 * the other way round, or a destination alone.
 */
function parted(text: string | undefined): { readonly to?: string | undefined; readonly amount?: string | undefined } {
  const words = text?.trim().split(/\s+/) ?? []
  const to = [words.at(-1), words[0]].find((word) => word !== undefined && DESTINATION.test(word))
  if (to === undefined) return { amount: text }
  return { to, amount: given(words.filter((word) => word !== to).join(' ')) }
}
