import { sats } from '../../lib/money/amount.ts'
import { MAX_NOTE } from '../../tipping/tipping.ts'
import { confirmationOutcome } from '../confirmations/question.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Form, FormReply, MenuCommand, MenuOpening, Submission } from '../interactions/command.ts'
import { serverOf } from '../interactions/in-server.ts'
import { mention } from '../messages/panel.ts'
import { tipOrAsk } from './tip-or-ask.ts'

const PRESETS = [21, 50, 100, 210, 500, 1_000, 2_100, 5_000]
const FIRST_PRESET = 100
const MAX_AMOUNT_LENGTH = 40
const MAX_ALSO = 20

/** Tips a message's author. A card below the message shows all its tips, if the bot may write there. */
export const tipMessage = {
  name: 'tip-message',
  on: 'message',
  announces: true,
  async open({ message, person, guild, t }: MenuOpening) {
    if (guild === null) return tipForm(personForm.verb, writePerson(person), t)
    return tipForm(messageTipForm.verb, `${message}/${writePerson(person)}`, t)
  },
} satisfies MenuCommand

/** Tips a person, as `/tip` does. */
export const tipPerson = {
  name: 'tip-person',
  on: 'member',
  async open({ person, t }: MenuOpening) {
    return tipForm(personForm.verb, writePerson(person), t)
  },
} satisfies MenuCommand

export const messageTipForm = {
  verb: 'tip-message',
  names: 'tipped-message',
  answer: 'private',
  async submit({
    record,
    values,
    member: from,
    memberName: fromName,
    caller,
    origin,
    announced,
    tipping,
    t,
  }: Submission) {
    const [message = '', ...who] = record.split('/')
    const author = readPerson(who.join('/'))
    const guild = serverOf(origin)
    const { amount, note } = readForm(values)
    const given = await tipping.invoicedTips.askForMessage({
      ...{ from, fromName, message, author, amount, note },
      accountSince: caller.accountSince,
      origin: { ...origin, guild },
      announced,
    })
    if ('asked' in given) return confirmationOutcome(given, t)
    if ('missing' in given) return { card: given.card, isPrivate: true }
    return { say: { content: t('messageTips.done', { who: mention(author.id) }) } }
  },
} satisfies FormReply

export const personForm = {
  verb: 'tip-person',
  names: 'nothing',
  answer: 'public',
  dryRun: true,
  async submit({ record, values, ...asking }: Submission) {
    const { member: from, memberName: fromName, caller, origin } = asking
    const { amount, note } = readForm(values)
    const to = readPerson(record)
    const also = (asking.picked.also ?? []).filter((each) => each.kind === 'member')
    const all = [to, ...also.map(({ id, bot }) => ({ id, bot }))]
    asking.willName(all.map(({ id }) => id))
    return await tipOrAsk(asking, {
      ...{ from, fromName, to: all, amount, note, origin },
      accountSince: caller.accountSince,
    })
  },
} satisfies FormReply

/** Builds a form with amounts to pick, a field for another amount, and a field for a note. */
function tipForm(verb: string, record: string, t: Translator): Form {
  return {
    verb,
    record,
    title: t('tipForm.title'),
    fields: [
      {
        name: 'preset',
        label: t('tipForm.preset'),
        radios: PRESETS.map((amount) => ({
          value: String(amount),
          label: t.amount(sats(amount)),
          chosen: amount === FIRST_PRESET,
        })),
      },
      {
        name: 'amount',
        label: t('tipForm.amount'),
        hint: t('tipForm.amountHint'),
        longest: MAX_AMOUNT_LENGTH,
        optional: true,
      },
      ...(verb === personForm.verb
        ? [{ name: 'also', label: t('tipForm.also'), picks: 'members', most: MAX_ALSO, optional: true } as const]
        : []),
      { name: 'note', label: t('tipForm.note'), longest: MAX_NOTE, optional: true },
    ],
  }
}

/** Reads the form. A typed amount takes precedence over a picked one. */
function readForm({ preset = '', amount = '', note }: Submission['values']): { amount: string; note?: string } {
  return { amount: amount.trim() === '' ? preset : amount, note }
}

function writePerson({ id, bot }: MenuOpening['person']): string {
  return bot ? `${id}/bot` : id
}

function readPerson(text: string): MenuOpening['person'] {
  const [id = '', bot] = text.split('/')
  return { id, bot: bot === 'bot' }
}
