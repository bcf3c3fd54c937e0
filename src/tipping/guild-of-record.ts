import type { TippingContext } from './engine/tipping-context.ts'

/**
 * The kinds of record to which a button, a menu or a form may refer by id, and which belong to the server of the
 * command.
 */
export const RECORD_KINDS = [
  'ask',
  'card',
  'drop',
  'fundraiser',
  'giveaway',
  'pending-gift',
  'reward',
  'tipped-message',
] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** Returns a record's server; null for a private conversation, and undefined if there is no such record. */
export async function guildOfRecord(
  { database }: Pick<TippingContext, 'database'>,
  kind: RecordKind,
  id: string,
): Promise<string | null | undefined> {
  const one = { where: { id }, select: { guild: true } } as const
  const { read } = database
  switch (kind) {
    case 'card':
      return (await read.card.findUnique(one))?.guild
    case 'ask':
      return (await read.ask.findUnique(one))?.guild
    case 'drop':
      return (await read.drop.findUnique(one))?.guild
    case 'fundraiser':
      return (await read.fundraiser.findUnique(one))?.guild
    case 'giveaway':
      return (await read.giveaway.findUnique(one))?.guild
    case 'reward':
      return (await read.reward.findUnique(one))?.guild
    case 'tipped-message':
      return (await read.tippedMessage.findUnique({ where: { message: id }, select: { guild: true } }))?.guild
    case 'pending-gift': {
      const gift = await read.pendingTip.findUnique({ where: { id }, select: { command: true } })
      return gift === null ? undefined : guildOfGift(gift.command)
    }
  }
}

function guildOfGift(stored: string): string | null {
  const { command } = JSON.parse(stored) as { readonly command: { readonly origin: { readonly guild: string | null } } }
  return command.origin.guild
}
