import {
  MAX_PARTS_TEXT,
  MAX_REWARD_REASON,
  MAX_SPLIT_NAME,
  type SplitPart,
  type SplitPreview,
  type SplitView,
} from '../../tipping/tipping.ts'
import { suggestAmounts } from '../amounts/suggestions.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Asking, Call, Command, Options, Suggestion, Typing } from '../interactions/command.ts'
import { personIn, serverOf } from '../interactions/in-server.ts'
import type { Message } from '../messages/message.ts'
import { colour, fitting, mention, panel, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { listButtons, memberIn } from '../rewards/list-command.ts'
import { shortfalls } from '../spending/shortfalls.ts'

const forModerators = { answer: 'private', where: 'server', moderators: true } as const

const parts = { kind: 'text', required: true, longest: MAX_PARTS_TEXT } as const
/** The option for a saved split: its id if it was picked, or its name if it was typed. */
const saved = { kind: 'text', required: true, longest: 100, suggest: suggestSplits } as const

const createOptions = {
  name: { kind: 'text', required: true, longest: MAX_SPLIT_NAME },
  parts,
} as const satisfies Options

export const splitCreate = {
  name: 'split create',
  ...forModerators,
  options: createOptions,
  async run({ options, tipping, t, ...asking }: Call<typeof createOptions>) {
    const split = await tipping.splits.create({ ...options, ...whoSaves(asking) })
    return { say: { embeds: [panel(colour.done, [t('split.saved'), ...linesOf(split, t)])] } }
  },
} satisfies Command<typeof createOptions>

const editOptions = { name: saved, parts } as const satisfies Options

export const splitEdit = {
  name: 'split edit',
  ...forModerators,
  options: editOptions,
  async run({ options: { name, parts: typed }, tipping, t, ...asking }: Call<typeof editOptions>) {
    const split = await tipping.splits.edit({ split: name, parts: typed, ...whoSaves(asking) })
    return { say: { embeds: [panel(colour.done, [t('split.saved'), ...linesOf(split, t)])] } }
  },
} satisfies Command<typeof editOptions>

function whoSaves(asking: Pick<Asking, 'guild' | 'member' | 'origin' | 'members'>) {
  const { member, origin } = asking
  return { ...placeOf(asking), member, memberIn, interaction: origin.interaction }
}

function placeOf(asking: Pick<Asking, 'guild' | 'members'>) {
  return { guild: serverOf(asking), person: personIn(asking) }
}

export const splitList = {
  name: 'split list',
  ...forModerators,
  options: {},
  async run({ tipping, t, ...asking }: Call) {
    const texts = (await tipping.splits.list(serverOf(asking))).map((each) => linesOf(each, t).join('\n'))
    const body = texts.length === 0 ? t('split.none') : fitting(texts, '\n\n').join('\n\n')
    return { say: { embeds: [panel(colour.satchel, body, { title: t('split.title') })] } }
  },
} satisfies Command

const deleteOptions = { name: saved } as const satisfies Options

export const splitDelete = {
  name: 'split delete',
  ...forModerators,
  options: deleteOptions,
  async run({ options: { name: split }, member, tipping, t, ...asking }: Call<typeof deleteOptions>) {
    await tipping.splits.delete({ split, guild: serverOf(asking), member })
    return { say: { embeds: [panel(colour.over, t('split.deleted'))] } }
  },
} satisfies Command<typeof deleteOptions>

const payOptions = {
  name: saved,
  amount: { kind: 'text', required: true, longest: 40, suggest: suggestAmounts },
  reason: { kind: 'text', required: true, longest: MAX_REWARD_REASON },
} as const satisfies Options

/** Shares a sum out according to a split, and asks whether to pay it. */
export const splitPay = {
  name: 'split pay',
  ...forModerators,
  announces: true,
  options: payOptions,
  async run({ options: { name: split, ...sum }, member, origin, tipping, t, ...asking }: Call<typeof payOptions>) {
    const preview = await tipping.splits.pay({ split, ...sum, ...placeOf(asking), member, origin })
    const missing = await shortfalls({ tipping, t, ...asking }, preview.total)
    return { say: drawPreview(preview, missing, t) }
  },
} satisfies Command<typeof payOptions>

function drawPreview({ asked, total, feeLimit, lines, rest }: SplitPreview, missing: string[], t: Translator): Message {
  const [first] = lines
  const body = [
    t('list.question', { people: t('tip.people', { count: lines.length }), total }),
    ...lines.map(({ amount, ...who }) => `• ${named(who)} · ${t.amount(amount)}`),
    rest === 0n || first === undefined ? '' : small(t('split.rest', { who: named(first), rest })),
    feeLimit === 0n ? '' : t('list.feeLimit', { limit: feeLimit }),
    ...missing,
  ]
  return {
    embeds: [panel(colour.inFlight, body)],
    buttons: listButtons(asked, t),
  }
}

function named({ recipient, address }: Pick<SplitPart, 'recipient' | 'address'>): string {
  return address === undefined ? mention(recipient) : quotable(address === '' ? '…' : address)
}

/** Shows a split's name, and each recipient's percentage. */
function linesOf({ name, parts: all }: SplitView, t: Translator): string[] {
  const percents = new Intl.NumberFormat(t.locale, { style: 'percent', maximumFractionDigits: 2 })
  return [
    `**${quotable(name, MAX_SPLIT_NAME)}**`,
    ...all.map(({ share, ...who }) => `• ${named(who)} · ${percents.format(share / 10_000)}`),
  ]
}

async function suggestSplits({ guild, caller, tipping, typed }: Typing): Promise<Suggestion[]> {
  if (guild === null || !(await caller.moderates())) return []
  return (await tipping.splits.list(guild))
    .map(({ id, name }) => ({ name, value: id }))
    .filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()))
}
