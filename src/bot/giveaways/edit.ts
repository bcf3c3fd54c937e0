import { ButtonStyle } from 'discord.js'
import { floorToSat, msats } from '../../lib/money/amount.ts'
import type { GiveawayEdit, PlannedEdit } from '../../tipping/tipping.ts'
import { suggestOwnAmounts } from '../amounts/suggestions.ts'
import { cancelButton } from '../confirmations/buttons.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Asking, Button, Call, Command, Options, Press } from '../interactions/command.ts'
import { button, type Message } from '../messages/message.ts'
import { colour, mention, moment, panel, small } from '../messages/panel.ts'
import { suggestDurations, suggestMine } from './suggestions.ts'

const options = {
  giveaway: { kind: 'text', required: true, suggest: suggestMine('open') },
  prize: { kind: 'text', longest: 40, suggest: suggestOwnAmounts },
  winners: { kind: 'whole', smallest: 1, largest: 50 },
  longer: { kind: 'text', longest: 40, suggest: suggestDurations },
} as const satisfies Options

/** Asks for a confirmation before a giveaway is changed, because the change can never be undone. */
export const giveawayEdit = {
  name: 'giveaway edit',
  answer: 'private',
  where: 'server',
  options,
  async run(call: Call<typeof options>) {
    const { member, caller, guild, tipping, origin } = call
    const whose = { member, moderator: await caller.moderates(), guild, accountSince: caller.accountSince, origin }
    const planned = await tipping.giveaways.planEdit({ ...whose, ...call.options })
    const { giveaway, ...edit } = planned
    // A certain refusal is shown at once.
    await tipping.dryRun((api) => api.giveaways.edit({ ...whose, ...edit, giveaway: giveaway.id }))
    return { say: await question(call, planned) }
  },
} satisfies Command<typeof options>

/**
 * Changes a giveaway after the question. The button's record contains the number of earlier changes, so each change is
 * made only once, however often the button is pressed.
 */
export const giveawayEditConfirm = {
  verb: 'giveaway-edit',
  names: 'giveaway',
  answer: 'update',
  async press({ record, member, caller, guild, origin, tipping, t }: Press) {
    const [giveaway = '', revision, prize = '0', winners, endsAt] = record.split('/')
    await tipping.giveaways.edit({
      ...{ giveaway, member, moderator: await caller.moderates(), guild, accountSince: caller.accountSince },
      ...{ revision: Number(revision), prize: msats(BigInt(prize)), winners: Number(winners) },
      endsAt: endsAt ? new Date(Number(endsAt)) : undefined,
      origin: { ...origin, interaction: `edit ${member} ${record}`, reply: '' },
    })
    return { say: { embeds: [panel(colour.done, t('giveaway.editedByYou'))] } }
  },
} satisfies Button

async function question({ member, tipping, t }: Asking, planned: PlannedEdit): Promise<Message> {
  const { giveaway, revision, prize, winners, endsAt, cost } = planned
  const { id, prize: before, winners: fewer } = giveaway
  const from = { prize: before, winners: fewer, endsAt: giveaway.endsAt }
  const balance = await tipping.balances.available(member)
  const left = floorToSat(msats(balance > cost ? balance - cost : 0n))
  const paid = cost === 0n ? [] : [t('giveaway.editCosts', { amount: cost }), t('confirmation.left', { left })]
  const lines = [
    ...changesOf({ from, to: { prize, winners, endsAt: endsAt ?? from.endsAt } }, t),
    ...paid,
    small(t('giveaway.editForGood')),
  ]
  const record = [id, revision, prize, winners, endsAt?.getTime() ?? ''].join('/')
  return {
    embeds: [panel(colour.inFlight, lines)],
    buttons: [
      button(giveawayEditConfirm.verb, record, t('giveaway.editButton'), { emoji: '✏️', style: ButtonStyle.Primary }),
      cancelButton(id, t),
    ],
  }
}

/** The number of latest changes that the card shows. */
const MAX_SHOWN = 3

/** Lists the latest changes and their authors. */
export function editLines(edits: readonly GiveawayEdit[], t: Translator): string[] {
  return edits
    .slice(-MAX_SHOWN)
    .map((edit) => small(t('giveaway.edited', { who: mention(edit.by), changes: changesOf(edit, t).join(' · ') })))
}

function changesOf({ from, to }: Pick<GiveawayEdit, 'from' | 'to'>, t: Translator): string[] {
  return [
    ...(to.prize === from.prize ? [] : [t('giveaway.editPrize', { from: from.prize, to: to.prize })]),
    ...(to.winners === from.winners ? [] : [t('giveaway.editWinners', { from: from.winners, to: to.winners })]),
    ...(to.endsAt.getTime() === from.endsAt.getTime()
      ? []
      : [t('giveaway.editEnd', { from: moment(from.endsAt), to: moment(to.endsAt) })]),
  ]
}
