import { type APIButtonComponentWithCustomId, ButtonStyle } from 'discord.js'
import { csvOf, harmless, plainSats } from '../../lib/csv.ts'
import {
  type ListOutcome,
  type ListPreview,
  MAX_LIST_BYTES,
  MAX_REWARD_REASON,
  type WrongLine,
} from '../../tipping/tipping.ts'
import { cancelButton } from '../confirmations/buttons.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Button, Call, Command, Options, Press } from '../interactions/command.ts'
import { mustModerate, personIn, serverOf } from '../interactions/in-server.ts'
import { readUpload } from '../interactions/read-upload.ts'
import { button, type Message } from '../messages/message.ts'
import { colour, panel, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { providerReason } from '../refusals/provider-reason.ts'
import { refusalText, withoutMarks } from '../refusals/refusal-text.ts'

const options = {
  file: { kind: 'file', required: true },
  reason: { kind: 'text', required: true, longest: MAX_REWARD_REASON },
} as const satisfies Options

/** Reads a list of people, and asks whether to pay them. */
export const poolPay = {
  name: 'pool pay',
  answer: 'private',
  where: 'server',
  moderators: true,
  announces: true,
  options,
  async run({ member, origin, tipping, t, options: { file, reason }, ...asking }: Call<typeof options>) {
    const guild = serverOf(asking)
    const bytes = await readUpload(file, MAX_LIST_BYTES)
    const preview = await tipping.rewards.readList({ guild, member, file: bytes, memberIn, reason, origin })
    return { say: drawPreview(preview, t) }
  },
} satisfies Command<typeof options>

/**
 * Returns the id in a cell, which may be an id or a mention. Names are not accepted, because they are not unique and
 * can change.
 */
export function memberIn(cell: string): string | undefined {
  return /^(?:<@!?)?(\d{15,20})>?$/.exec(cell)?.[1]
}

/** Confirms the payment of a list, or a payment according to a split. The payment's card is a separate message. */
export const listConfirm = {
  verb: 'list-confirm',
  names: 'pending-gift',
  answer: 'update',
  announces: true,
  async press({ record: asked, member, caller, announced: origin, tipping, t, ...asking }: Press) {
    // They may have lost both rights since they asked.
    await mustModerate({ caller })
    await tipping.rewards.confirmList({ asked, member, roles: caller.roles, person: personIn(asking), origin })
    return { say: { embeds: [panel(colour.done, t('list.sent'))] } }
  },
} satisfies Button

/** Sends a list's lines with their states, as a file that can be submitted again: paid lines are then skipped. */
export const listFile = {
  verb: 'list-file',
  names: 'reward',
  answer: 'private',
  async press({ record, caller, tipping, t }: Press) {
    await mustModerate({ caller })
    const lines = await tipping.rewards.listOutcomes(record)
    const rows = lines.map((line) => outcomeRow(line, t))
    const text = csvOf(OUTCOME_COLUMNS, rows)
    const file = { name: `list-${record.slice(0, 8)}.csv`, text, contentType: 'text/csv', alt: t('list.fileAlt') }
    return { say: { content: t('list.file'), files: [file] } }
  },
} satisfies Button

export function listFileButton(reward: string, t: Translator): APIButtonComponentWithCustomId {
  return button(listFile.verb, reward, t('list.fileButton'), { emoji: '📄' })
}

const COLUMNS = ['line', 'member', 'sats', 'reason', 'outcome'] as const
const OUTCOME_COLUMNS = [...COLUMNS, 'fee', 'why'] as const

/** Returns a line's cells. The apostrophe prevents a spreadsheet from rounding an id. */
function outcomeRow(outcome: ListOutcome, t: Translator): string[] {
  const { line, recipient, address, amount, reason, state, fee, why } = outcome
  const who = address === undefined ? `'${recipient}` : harmless(address)
  // Payments that may have arrived are skipped when the file is submitted again.
  const said = why?.kind === 'restored' ? 'unknown' : state
  const shared = [String(line), who, plainSats(amount), harmless(reason), said]
  return [...shared, fee === undefined ? '' : plainSats(fee), harmless(whyOf(why, t))]
}

function whyOf(why: ListOutcome['why'], t: Translator): string {
  switch (why?.kind) {
    case undefined:
      return ''
    case 'restored':
      return t('list.restored')
    case 'refused':
      return withoutMarks(refusalText(why.refusal, t))
    case 'returned':
      return why.because === 'refused' && why.reason !== undefined
        ? t('withdrawal.why.refusedBecause', { reason: providerReason(why.reason, t) })
        : t(`withdrawal.why.${why.because}`)
  }
}

/** The maximum number of wrong lines in the message; the file contains all of them. */
const MAX_SHOWN = 10

/** The faults of lines that a member's id would correct. Few people know that Discord shows the id in a menu. */
const WANTS_ID: ReadonlySet<WrongLine['fault']> = new Set(['not-a-member', 'address-here'])

function drawPreview({ asked, people, total, feeLimit, wrong, paidBefore }: ListPreview, t: Translator): Message {
  const shown = wrong.slice(0, MAX_SHOWN).map((line) => wrongLine(line, t))
  const more = wrong.length - shown.length
  const lines = [
    asked === undefined ? t('list.nothing') : t('list.question', { people: t('tip.people', { count: people }), total }),
    feeLimit === 0n ? '' : t('list.feeLimit', { limit: feeLimit }),
    paidBefore === 0 ? '' : t('list.paidBefore', { lines: paidBefore }),
    wrong.length === 0 ? '' : t('list.wrongLines', { lines: wrong.length }),
    ...shown,
    more > 0 ? t('list.more', { lines: more }) : '',
    wrong.length === 0 ? '' : small(t('list.wrongHint')),
    wrong.some(({ fault }) => WANTS_ID.has(fault)) ? small(t('list.idHint')) : '',
  ]
  return {
    embeds: [panel(asked === undefined ? colour.refused : colour.inFlight, lines, { title: t('list.title') })],
    buttons: asked === undefined ? [] : listButtons(asked, t),
    files: wrong.length === 0 ? [] : [wrongFile(wrong, t)],
  }
}

/** Builds the buttons below the question whether to pay a list: one to pay it, and one to cancel. */
export function listButtons(asked: string, t: Translator): APIButtonComponentWithCustomId[] {
  return [
    button(listConfirm.verb, asked, t('list.payButton'), { emoji: '⚡', style: ButtonStyle.Primary }),
    cancelButton(asked, t),
  ]
}

function wrongLine({ line, who, amount, fault }: WrongLine, t: Translator): string {
  const typed = quotable([who, amount].filter((cell) => cell !== '').join(', '), 60)
  return `• ${t('list.line', { line, typed, why: t(`list.faults.${fault}`) })}`
}

function wrongFile(wrong: readonly WrongLine[], t: Translator) {
  const rows = wrong.map(({ line, who, amount, reason, fault }) => [
    String(line),
    harmless(who),
    harmless(amount),
    harmless(reason),
    t(`list.faults.${fault}`),
  ])
  return { name: 'list-wrong.csv', text: csvOf(COLUMNS, rows), contentType: 'text/csv', alt: t('list.fileAlt') }
}
