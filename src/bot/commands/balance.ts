import type { APIEmbed, APIEmbedField } from 'discord.js'
import type { BalanceView, Tipping } from '../../tipping/tipping.ts'
import { claimButton } from '../buttons/claim.ts'
import type { Call, Command } from '../command.ts'
import { colour, panel, relative } from '../look.ts'
import type { Message } from '../message.ts'
import { quotable } from '../refusal-words.ts'
import type { Words } from '../words.ts'
import { about } from '../worth.ts'

export const balance = {
  name: 'balance',
  answer: 'private',
  where: 'anywhere',
  options: {},
  async run({ member, standing, guild, tipping, words }: Call) {
    const [view, addresses] = await Promise.all([tipping.balance(member), tipping.addresses.mine(member)])
    const { embeds = [], ...message } = balanceMessage({ ...view, addresses }, member, tipping, words)
    const more = standing.moderator && guild !== null ? [await serverPanel(guild, tipping, words)] : []
    return { say: { ...message, embeds: [...embeds, ...more] } }
  },
} satisfies Command

/** What moderators have in their care: their server's pool, and the wallet behind it all. */
async function serverPanel(guild: string, tipping: Tipping, words: Words): Promise<APIEmbed> {
  const [pool, { proven }] = await Promise.all([tipping.pools.view(guild), tipping.oversight.status()])
  const wallet = proven?.wallet === undefined ? words.say('status.walletUnknown') : words.amount(proven.wallet)
  const fields = [
    field(words.say('pool.title'), words.amount(pool.available)),
    field(words.say('status.wallet'), wallet),
  ]
  return panel(colour.satchel, '', { fields })
}

function balanceMessage(
  view: BalanceView & { readonly addresses: readonly string[] },
  member: string,
  tipping: Tipping,
  words: Words,
): Message {
  const { available, inFlight, parked, waitingForOthers, link, sentToGamertag, openDeposits } = view
  const fields: APIEmbedField[] = []
  if (inFlight > 0n) fields.push(field(words.say('balance.inFlight'), words.amount(inFlight)))
  if (parked !== undefined) {
    const text = words.say('balance.parkedUntil', { amount: parked.amount, until: relative(parked.until) })
    fields.push(field(words.say('balance.parked'), text))
  }
  if (waitingForOthers > 0n) fields.push(field(words.say('balance.waitingForOthers'), words.amount(waitingForOthers)))
  const nothing = available + sentToGamertag === 0n && fields.length === 0 && openDeposits.length === 0
  const lines = [
    `## ${words.amount(available)}`,
    about(tipping, available, words, true),
    nothing ? words.say('balance.empty') : '',
    link === undefined
      ? words.say('balance.unlinked')
      : words.say('balance.linked', { gamertag: quotable(link.gamertag) }),
    view.addresses.length > 0 ? words.say('balance.address', { address: words.list(view.addresses) }) : '',
    sentToGamertag > 0n ? words.say('balance.sent', { amount: sentToGamertag }) : '',
    openDeposits.length > 0 ? words.say('balance.openDeposits', { count: openDeposits.length }) : '',
  ]
  return {
    embeds: [panel(colour.satchel, lines, { title: words.say('balance.title'), fields })],
    buttons: parked === undefined ? [] : [claimButton(member, words.say('balance.claimButton'))],
  }
}

function field(name: string, value: string): APIEmbedField {
  return { name, value, inline: true }
}
