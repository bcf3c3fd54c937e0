import type { Sentences } from '../../src/bot/i18n/languages.ts'

/** Every sentence by its path (`tip.people_one`), as it stands in a language's file. */
export function flatten(node: Sentences, path = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string') found.set(`${path}${name}`, value)
    else for (const [key, text] of flatten(value, `${path}${name}.`)) found.set(key, text)
  }
  return found
}

/** A sentence's name without the ending that says which form of the plural it is. */
export function withoutForm(key: string): string {
  return key.replace(/_(zero|one|two|few|many|other)$/, '')
}

/** The forms of the plural that a language has, as `Intl` (and so i18next) knows them, for whole and broken numbers. */
export function formsOf(code: string): string[] {
  return new Intl.PluralRules(code).resolvedOptions().pluralCategories
}
