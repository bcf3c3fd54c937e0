import { type Form, type JsonObject, lengthOf, type Path } from './form.ts'

/** https://docs.discord.com/developers/reference#locales */
export const locales: ReadonlySet<string> = new Set(
  (
    'id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja ' +
    'zh-TW ko'
  ).split(' '),
)

/** Checks a dictionary from locales to texts. Each text must follow the rules for the original text. */
export function checkLocalisations(
  form: Form,
  source: JsonObject,
  key: string,
  at: Path,
  max: number,
  valid: (text: string) => boolean,
): Readonly<Record<string, string>> | null {
  const entries = form.object(source, key, at)
  if (entries === undefined) return null
  const path = [...at, key]
  for (const locale of Object.keys(entries)) {
    if (!locales.has(locale)) {
      form.fault([...path, locale], 'ENUM_TYPE_COERCE', `Value "${locale}" is not a valid enum value.`)
      continue
    }
    const text = form.text(entries, locale, path, { min: 1, max })
    if (text !== undefined && text !== '' && !valid(text))
      form.fault([...path, locale], 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid')
  }
  return entries as Record<string, string>
}

/** Counts the characters of a text in its longest language. They count towards a command's limit of 8000. */
export function longest(text: string, localisations: Readonly<Record<string, string>> | null): number {
  let most = lengthOf(text)
  for (const other of Object.values(localisations ?? {})) most = Math.max(most, lengthOf(String(other)))
  return most
}
