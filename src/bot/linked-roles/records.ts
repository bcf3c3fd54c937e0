import { type APIApplicationRoleConnectionMetadata, ApplicationRoleConnectionMetadataType } from 'discord.js'
import type { RoleFigures } from '../../tipping/tipping.ts'
import { languages } from '../i18n/languages.ts'
import type { Key, Translators } from '../i18n/translator.ts'

const { IntegerGreaterThanOrEqual, DatetimeLessThanOrEqual } = ApplicationRoleConnectionMetadataType

/** The records that a server can require for a role. Discord accepts at most five. */
const RECORDS = [
  { key: 'sats_given', type: IntegerGreaterThanOrEqual, said: 'satsGiven' },
  { key: 'tips_given', type: IntegerGreaterThanOrEqual, said: 'tipsGiven' },
  // For dates, "less" means earlier: a member for at least this many days.
  { key: 'member_since', type: DatetimeLessThanOrEqual, said: 'memberSince' },
] as const

/** The largest integer that Discord accepts. */
const MAX_INTEGER = 2n ** 31n - 1n

/**
 * Returns the records in Discord's form, in all languages.
 * https://docs.discord.com/developers/resources/application-role-connection-metadata
 */
export function describeRecords(translatorFor: Translators): APIApplicationRoleConnectionMetadata[] {
  const inAll = (key: Key) =>
    Object.fromEntries(
      languages.slice(1).flatMap(({ discord }) => discord.map((tag) => [tag, translatorFor(tag)(key)])),
    )
  const t = translatorFor('en')
  return RECORDS.map(({ key, type, said }) => ({
    ...{ key, type },
    name: t(`linkedRoles.${said}.name`),
    name_localizations: inAll(`linkedRoles.${said}.name`),
    description: t(`linkedRoles.${said}.description`),
    description_localizations: inAll(`linkedRoles.${said}.description`),
  }))
}

/** Returns a member's figures as texts, under the keys of the records. */
export function metadataOf({ given, tips, since }: RoleFigures): Record<(typeof RECORDS)[number]['key'], string> {
  const sats = given / 1_000n
  return {
    sats_given: String(sats > MAX_INTEGER ? MAX_INTEGER : sats),
    tips_given: String(tips),
    member_since: since.toISOString(),
  }
}
