import { type Client, Events, GuildFeature, Locale } from 'discord.js'
import { NewestNames } from '../../lib/newest-names.ts'
import { languageOf } from '../i18n/languages.ts'

/** Returns the language of the bot's texts for a server; undefined if that language is unknown. */
export type ServerLocale = (guild: string | null) => string | undefined

const MAX_SERVERS = 20_000
/** The number of the bot's most recent users that are remembered for a server. */
const MAX_MEMBERS = 50

/**
 * Creates the function that returns the language of all texts for a server: the language chosen for the server
 * (`chosen`), otherwise a Community server's language, otherwise the language of most recent users of the bot. Only a
 * Community server reports its language: for all others, Discord reports English.
 * https://docs.discord.com/developers/resources/guild#guild-object-guild-structure
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

/**
 * Returns the locale of the most frequent language, with each language's regions counted together. In a tie, the
 * earliest language wins.
 */
function mostSpoken(locales: Iterable<string>): string | undefined {
  const speakers = Map.groupBy(locales, (locale) => languageOf(locale).code)
  return [...speakers.values()].toSorted((one, other) => other.length - one.length)[0]?.[0]
}
