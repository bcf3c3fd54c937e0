import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { languages } from '../../src/bot/words/languages.ts'
import { createWords, languageOf } from '../../src/bot/words.ts'
import { msats, sats } from '../../src/lib/amount.ts'

/** Every sentence of a vocabulary by its path; the forms of a plural are one. */
function sentences(node: object, path = ''): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string') {
      const key = `${path}${name.replace(/_(zero|one|two|few|many|other)$/, '')}`
      found.set(key, [...(found.get(key) ?? []), value])
    } else for (const [key, texts] of sentences(value, `${path}${name}.`)) found.set(key, texts)
  }
  return found
}

function placeholders(texts: readonly string[] | undefined): string[] {
  return [...new Set((texts ?? []).flatMap((text) => text.match(/\{\{[^}]*\}\}/g) ?? []))].toSorted()
}

const english = sentences(languages[0].vocabulary)

test.each(languages.map(({ code, vocabulary }) => [code, vocabulary] as const))(
  '%s says everything, with the same facts in it',
  (_, vocabulary) => {
    const own = sentences(vocabulary)
    expect([...own.keys()].toSorted()).toEqual([...english.keys()].toSorted())
    for (const [key, texts] of own) expect([key, placeholders(texts)]).toEqual([key, placeholders(english.get(key))])
  },
)

test('no sentence is left over', () => {
  const source = globSync('src/bot/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const quoted = new Set([...source.matchAll(/'([\w.-]+\.[\w.-]+)'/g)].map(([, key = '']) => key))
  const computed = [...source.matchAll(/`([a-zA-Z]+\.[\w.-]*\$\{[^`]*)`/g)].map(
    ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '[^.]+')}$`),
  )
  const isUsed = (key: string) => quoted.has(key) || computed.some((pattern) => pattern.test(key))
  // What Discord shows of commands and menus is looked up by their names.
  expect([...english.keys()].filter((key) => !/^(commands|menus)\./.test(key) && !isUsed(key))).toEqual([])
})

test('amounts carry their unit, in the right number, and say when they are no money', () => {
  let testMoney = false
  const words = createWords(() => testMoney)('en-GB')
  expect(words.amount(sats(1))).toBe('1 sat')
  expect(words.amount(sats(0))).toBe('0 sats')
  expect(words.amount(sats(1_234_567))).toBe('1,234,567 sats')
  expect(words.amount(msats(1_500))).toBe('1.5 sats')
  testMoney = true
  expect(words.amount(sats(1))).toBe('1 test sat')
  expect(words.say('deposit.title', { amount: sats(2_100) })).toBe('Deposit 2,100 test sats')
})

test('what a person wrote cannot call other sentences', () => {
  const words = createWords(() => false)('en')
  expect(words.say('deposit.title', { amount: '$t(units.sats) {{amount}}' })).toBe('Deposit $t(units.sats) {{amount}}')
})

test('a language that is not spoken here is answered in English', () => {
  for (const locale of ['en-US', 'xx', 'tlh']) expect(languageOf(locale).code).toBe('en')
})
