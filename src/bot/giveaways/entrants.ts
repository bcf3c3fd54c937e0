import type { APIButtonComponentWithCustomId } from 'discord.js'
import { type GiveawayEntrants, TippingRefusal } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Button, Outcome, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { colour, mention, panel } from '../messages/panel.ts'
import { lookingOf, mayRead } from './verify.ts'

/**
 * Shows the entrants to the person who presses it. The list is no secret, because the draw's proof publishes it anyway.
 */
export const giveawayWho = {
  verb: 'giveaway-who',
  names: 'giveaway',
  answer: 'private',
  press: (press: Press) => show(press, 0),
} satisfies Button

/** Shows another page of the list of entrants. */
export const giveawayWhoPage = {
  verb: 'giveaway-who-page',
  names: 'giveaway',
  answer: 'update',
  press: (press: Press) => show(press, Number(press.record.split('/')[1])),
} satisfies Button

export function giveawayWhoButton(giveaway: string, label: string): APIButtonComponentWithCustomId {
  return button(giveawayWho.verb, giveaway, label, { emoji: '👥' })
}

async function show(press: Press, page: number): Promise<Outcome> {
  const [giveaway = ''] = press.record.split('/')
  const who = await press.tipping.giveaways.entrants({ giveaway, guild: press.guild, page })
  if (!mayRead(who.giveaway, await lookingOf(press))) throw new TippingRefusal('giveaway-not-found', {})
  return { say: draw(who, press.t) }
}

/**
 * The marks of winners who must claim: those who still can, those who have claimed, and those who missed the deadline.
 */
const MARKS = { open: '⏳', claimed: '🎉', missed: '⌛' } as const

function draw({ giveaway, entrants, page, pages }: GiveawayEntrants, t: Translator) {
  const marks = new Map(giveaway.claim?.named.map(({ member, state }) => [member, MARKS[state]]))
  const lines = entrants.map(
    ({ member, chances }) => `${marks.get(member) ?? '•'} ${mention(member)}${chances > 1 ? ` × ${chances}` : ''}`,
  )
  const footer = pages > 1 ? t('giveaway.page', { page: page + 1, pages }) : undefined
  const to = (other: number, emoji: string) =>
    button(giveawayWhoPage.verb, `${giveaway.id}/${other}`, t('giveaway.page', { page: other + 1, pages }), { emoji })
  return {
    embeds: [panel(colour.satchel, [t('giveaway.entrants', { count: giveaway.entrants }), ...lines], { footer })],
    buttons: [...(page > 0 ? [to(page - 1, '⬅️')] : []), ...(page + 1 < pages ? [to(page + 1, '➡️')] : [])],
  }
}
