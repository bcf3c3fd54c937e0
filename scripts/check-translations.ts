/**
 * Compares languages' files (`src/bot/i18n/*.json`) with the English one and prints each fault on a line; exits with 1
 * if there is a fault. `node scripts/check-translations.ts de` checks one language and prints the words to use in its
 * translation. Without an argument, all languages that have a file are checked.
 */
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readSentences } from '../src/bot/i18n/languages.ts'
import { faultsOf } from './translations/faults.ts'
import { termFaults, wordList } from './translations/terms.ts'
import { typographyFaults } from './translations/typography.ts'

/** Returns every language that has a file, and the one language that is derived from another. */
export function languagesThere(): string[] {
  const folder = join(import.meta.dirname, '../src/bot/i18n')
  const files = globSync('*.json', { cwd: folder }).map((file) => basename(file, '.json'))
  return [...files, 'zh-TW'].toSorted()
}

if (import.meta.main) {
  const chosen = process.argv.slice(2)
  const english = readSentences('en')
  for (const code of chosen.length > 0 ? chosen : languagesThere()) {
    const faults = [...faultsOf(code, readSentences(code), english), ...termFaults(code), ...typographyFaults(code)]
    for (const fault of faults) console.error(`${code} ${fault}`)
    console.log(faults.length === 0 ? `${code}: all is well.` : `${code}: ${faults.length} faults.`)
    if (faults.length > 0) process.exitCode = 1
    if (chosen.length > 0) console.log(wordList(code))
  }
}
