import { type Client, Events, GuildFeature, Locale } from 'discord.js'
import { NewestNames } from '../../lib/newest-names.ts'
import { languageOf } from '../i18n/languages.ts'

/** Returns the language in which the bot speaks to a server; undefined if nothing shows it. */
export type ServerLocale = (guild: string | null) => string | undefined

const MAX_SERVERS = 20_000
/** The most recent users of the bot that are remembered for a server. */
const MAX_MEMBERS = 50

/**
 * Determines the language of all texts for a server: its chosen language (`chosen`), else a Community server's
 * language, else the one that most recent users of the bot speak. Only a Community server reports its language: Discord
 * reports all others as English. https://docs.discord.com/developers/resources/guild#guild-object-guild-structure
 */
export function createServerLocales(
  client: Pick<Client, 'on' | 'guilds'>,
  chosen: (guild: string | null) => string | undefined,
): ServerLocale {
  const said = new NewestNames<string>(MAX_SERVERS)
  const spoken = new NewestNames<NewestNames<string>>(MAX_SERVERS)
  client.on(Events.InteractionCreate, ({ guildId, guildLocale, locale, user }) => {
    if (guildId === null) return
    // Only a Community server reports another language than this one.
    if (guildLocale !== null && guildLocale !== Locale.EnglishUS) said.set(guildId, guildLocale)
    if (locale) spoken.use(guildId, () => new NewestNames(MAX_MEMBERS)).set(user.id, locale)
  })
  return (guild) => {
    if (guild === null) return chosen(null)
    const known = client.guilds.cache.get(guild)
    const ofCommunity = known?.features.includes(GuildFeature.Community) ? known.preferredLocale : said.get(guild)
    return chosen(guild) ?? ofCommunity ?? mostSpoken(spoken.get(guild)?.things ?? [])
  }
}

/** Counts one language's regions together. In a tie, the earliest language wins. */
function mostSpoken(locales: Iterable<string>): string | undefined {
  const speakers = Map.groupBy(locales, (locale) => languageOf(locale).code)
  return [...speakers.values()].toSorted((one, other) => other.length - one.length)[0]?.[0]
}
