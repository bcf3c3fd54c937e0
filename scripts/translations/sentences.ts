import type { Sentences } from '../../src/bot/i18n/languages.ts'

/** Returns every sentence by its path (`tip.people_one`), as the language's file has it. */
export function flatten(node: Sentences, path = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string') found.set(`${path}${name}`, value)
    else for (const [key, text] of flatten(value, `${path}${name}.`)) found.set(key, text)
  }
  return found
}

/** Returns a sentence's name without its plural ending. */
export function withoutForm(key: string): string {
  return key.replace(/_(zero|one|two|few|many|other)$/, '')
}

/**
 * Returns a language's plural forms, as `Intl`, and therefore i18next, defines them, for whole numbers and fractions.
 */
export function formsOf(code: string): string[] {
  return new Intl.PluralRules(code).resolvedOptions().pluralCategories
}
