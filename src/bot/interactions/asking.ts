import type { Logger } from '../../lib/logger.ts'
import { fiatAsked } from '../../lib/money/amount-text.ts'
import { following, type ReplyToken, writeReplyToken } from '../transport/reply-token.ts'
import { type Answerable, typedIn } from './answerable.ts'
import type { Asking } from './command.ts'
import { guildOf } from './guest.ts'
import { localeOf, memberContextOf } from './member-context.ts'
import type { RouterOptions } from './router-options.ts'

/** The names of the options and fields whose typed amount a card shows. */
const AMOUNTS = ['amount', 'prize']

function askedIn(interaction: Answerable): string | undefined {
  const typed = typedIn(interaction).find(({ name }) => AMOUNTS.includes(name))
  return typed === undefined ? undefined : fiatAsked(typed.text)
}

interface AskedNow {
  readonly reply: ReplyToken
  readonly log: Logger
  /** The recipients whom the answer will name, as far as they are known. */
  readonly named: Set<string>
}

type AskingOptions = Pick<RouterOptions, 'tipping' | 'clock' | 'translatorFor' | 'serverLocale' | 'links' | 'members'>

/** Combines an interaction's person, place and time with what its handler needs. */
export function askingOf(interaction: Answerable, { reply, log, named }: AskedNow, options: AskingOptions): Asking {
  const { user, member } = interaction
  const guild = guildOf(interaction)
  const locale = localeOf(interaction, options.tipping)
  // A server that this process does not know has only the data that Discord sent.
  const nick = member === null ? undefined : 'displayName' in member ? member.displayName : (member.nick ?? undefined)
  const channel = interaction.channelId ?? ''
  const origin = {
    interaction: interaction.id,
    guild,
    channel,
    reply: writeReplyToken(reply),
    locale,
    asked: askedIn(interaction),
  }
  return {
    member: user.id,
    memberName: nick ?? user.displayName,
    userName: user.username,
    caller: memberContextOf(interaction, options.tipping),
    guild,
    origin,
    announced: { ...origin, reply: reply.guest ? writeReplyToken(following(reply)) : '' },
    asked: new Date(options.clock.now()),
    t: options.translatorFor(locale),
    toAll: options.translatorFor(options.serverLocale(guild) ?? locale),
    inLanguageOf: (id) => options.translatorFor(options.tipping.preferences.languageOf(id) ?? interaction.locale),
    tipping: options.tipping,
    links: options.links,
    members: options.members,
    log,
    willName: (people) => {
      for (const person of people) named.add(person)
    },
  }
}
