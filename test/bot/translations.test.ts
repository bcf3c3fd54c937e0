import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { languagesThere } from '../../scripts/check-translations.ts'
import { faultsOf } from '../../scripts/translations/faults.ts'
import { flatten, withoutForm } from '../../scripts/translations/sentences.ts'
import { TERMS, termFaults, wordOf } from '../../scripts/translations/terms.ts'
import { typographyFaults } from '../../scripts/translations/typography.ts'
import { languages, readSentences, type Sentences } from '../../src/bot/i18n/languages.ts'
import { withOwnNames } from '../../src/bot/i18n/own-names.ts'
import { createTranslators, languageOf } from '../../src/bot/i18n/translator.ts'
import type { Option } from '../../src/bot/interactions/command.ts'
import { commands, menuCommands } from '../../src/bot/registry/commands.ts'
import { msats, sats } from '../../src/lib/money/amount.ts'

const there = languagesThere()
const english = flatten(readSentences('en'))

test.each(there)('%s has a valid translation of every English text', (code) => {
  expect(faultsOf(code, readSentences(code), readSentences('en'))).toEqual([])
})

test.each(there)('%s has one word for each thing, in the bot and on the wallet page', (code) => {
  expect(termFaults(code)).toEqual([])
})

test.each(there)('%s has one kind of quotation mark and apostrophe, and one spelling of each word', (code) => {
  expect(typographyFaults(code)).toEqual([])
})

test('no code adds a colon to a text, since French and Japanese colons differ', () => {
  const sources = globSync('src/bot/**/*.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  const glued = sources.filter(({ text }) => /\$\{t\([^\n]*?\)\}:/.test(text))
  expect(glued.map(({ file }) => file)).toEqual([])
})

test.each(Object.keys(TERMS))('every language has a word for “%s”', (term) => {
  for (const code of there) expect(wordOf(term, code), code).toMatch(/^\S.*$/)
})

test('exactly the languages that have a file are offered', () => {
  expect(languages.map(({ code }) => code).toSorted()).toEqual(there)
})

test('every text is used by the code', () => {
  const source = globSync('src/bot/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const quoted = new Set([...source.matchAll(/'([\w.-]+\.[\w.-]+)'/g)].map(([, key = '']) => key))
  const computed = [...source.matchAll(/`([a-zA-Z]+\.[\w.-]*\$\{[^`]*)`/g)].map(
    ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '[^.]+')}$`),
  )
  const names = new Set([...english.keys()].map(withoutForm))
  const isUsed = (key: string) => quoted.has(key) || computed.some((pattern) => pattern.test(key))
  // Discord's names of commands and menus are looked up by name.
  expect([...names].filter((key) => !/^(commands|menus)\./.test(key) && !isUsed(key))).toEqual([])
})

test('the English texts have exactly the names and descriptions that commands need', () => {
  const wanted = new Set(menuCommands.map(({ name }) => `menus.${name}.name`))
  for (const command of commands) {
    const [family = '', verb] = command.name.split(' ')
    const path = ['commands', family, ...(verb === undefined ? [] : ['verbs', verb])].join('.')
    for (const at of [`commands.${family}`, path])
      for (const what of ['name', 'description']) wanted.add(`${at}.${what}`)
    for (const [name, option] of Object.entries<Option>(command.options)) {
      for (const what of ['name', 'description']) wanted.add(`${path}.options.${name}.${what}`)
      const choices = option.kind === 'text' ? (option.choices ?? []) : []
      for (const choice of choices) wanted.add(`${path}.options.${name}.choices.${choice}`)
    }
  }
  const there = [...english.keys()].filter((key) => /^(commands|menus)\./.test(key))
  expect(there.toSorted()).toEqual([...wanted].toSorted())
})

test('amounts have their unit in the singular or plural, and test sats are marked', () => {
  let testMoney = false
  const t = createTranslators(() => testMoney)('en-GB')
  expect(t.amount(sats(1))).toBe('1 sat')
  expect(t.amount(sats(0))).toBe('0 sats')
  expect(t.amount(sats(1_234_567))).toBe('1,234,567 sats')
  expect(t.amount(msats(1_500))).toBe('1.5 sats')
  testMoney = true
  expect(t.amount(sats(1))).toBe('1 test sat')
  expect(t('deposit.title', { amount: sats(2_100) })).toBe('Deposit 2,100 test sats')
})

test('placeholders in a person’s text are not replaced', () => {
  const t = createTranslators(() => false)('en')
  expect(t('deposit.title', { amount: '$t(units.sats) {{amount}}' })).toBe('Deposit $t(units.sats) {{amount}}')
})

test('the texts for Taiwan use Taiwan’s characters and words', () => {
  // Every two bytes of Big5, which has the characters that Taiwan writes and no simplified ones.
  const big5 = new TextDecoder('big5')
  const bytes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, nth) => from + nth)
  const second = [...bytes(0x40, 0x7e), ...bytes(0xa1, 0xfe)]
  const known = new Set(
    bytes(0xa4, 0xf9).flatMap((one) => second.map((two) => big5.decode(new Uint8Array([one, two])))),
  )
  const unknown = [...flatten(readSentences('zh-TW'))].flatMap(([key, text]) =>
    [...text.matchAll(/\p{Script=Han}/gu)].filter(([each]) => !known.has(each)).map(([each]) => `${key}: ${each}`),
  )
  expect(unknown).toEqual([])
  expect([...flatten(readSentences('zh-TW'))].filter(([, text]) => /[“”]/.test(text))).toEqual([])
  const t = createTranslators(() => false)
  expect(t('zh-TW')('refusals.split-exists', { name: 'podcast' })).toContain('「podcast」')
  expect(t('zh-TW')('commandRefusals.servers-only')).toMatch(/伺服器/)
  expect(t('zh-CN')('commandRefusals.servers-only')).toMatch(/服务器/)
  expect(['zh-HK', 'zh-Hant-TW'].map((locale) => languageOf(locale).code)).toEqual(['zh-TW', 'zh-TW'])
  expect(languageOf('zh-SG').code).toBe('zh')
})

test('a request in an unknown language is answered in English', () => {
  for (const locale of ['en-US', 'xx', 'tlh']) expect(languageOf(locale).code).toBe('en')
})

describe('the check of a language', () => {
  const original = {
    units: { sats_one: '{{figure}} sat', sats_other: '{{figure}} sats' },
    commands: {
      tip: { name: 'tip', description: 'Send sats', options: { to: { name: 'to', description: 'Who gets it' } } },
      reward: { name: 'reward', description: 'Reward', options: { to: { name: 'to', description: 'Who gets it' } } },
    },
    claim: { takeButton: 'Take it', hint: '`/tip to` sends **{{amount}}** to {{who}} ✅.\nAny time.' },
    presence: { live: '/tip somebody' },
  }
  const polish = (change: Readonly<Record<string, string>> = {}): Sentences => {
    const node = structuredClone(original) as Record<string, Record<string, unknown>>
    node.units = {
      sats_one: '{{figure}} sat',
      sats_few: '{{figure}} sats',
      sats_many: '{{figure}} sats',
      sats_other: '{{figure}} sats',
    }
    node.claim = { takeButton: 'Biorę', hint: 'Dla {{who}}: `/tip to`, **{{amount}}** ✅.\nZawsze.' }
    for (const [path, text] of Object.entries(change)) put(node, path.split('.'), text)
    return node as Sentences
  }
  const put = (node: Record<string, unknown>, [name = '', ...rest]: readonly string[], text: string): void => {
    if (rest.length === 0) node[name] = text
    else put(node[name] as Record<string, unknown>, rest, text)
  }

  test('accepts a language that has no mistakes', () => {
    expect(faultsOf('pl', polish(), original)).toEqual([])
  })

  test.each([
    ['with an empty text', { 'units.sats_few': '' }, /units.sats_few: is empty/],
    ['with one key too many', { 'claim.more': 'Więcej' }, /claim.more: is not asked for/],
    ['with a plural form it cannot have', { 'units.sats_two': '{{figure}} sats' }, /is no form of the plural here/],
    [
      'with a changed placeholder',
      { 'claim.hint': 'Dla {{kto}}: `/tip to`, **{{amount}}** ✅.\nZawsze.' },
      /placeholders/,
    ],
    [
      'with a translated command',
      { 'claim.hint': 'Dla {{who}}: `/daj to`, **{{amount}}** ✅.\nZawsze.' },
      /pieces of code/,
    ],
    ['with a missing command', { 'presence.live': '⚡' }, /commands/],
    ['with a command that cannot be pressed', { 'claim.hint': '/tip to {{who}}' }, /outside code/],
    ['with a command in code on a button', { 'claim.takeButton': '`/tip`' }, /where Discord shows no code/],
    ['with lost bold', { 'claim.hint': 'Dla {{who}}: `/tip to`, {{amount}} ✅.\nZawsze.' }, /marks of style/],
    ['with a lost line', { 'claim.hint': 'Dla {{who}}: `/tip to`, **{{amount}}** ✅. Zawsze.' }, /line breaks/],
    ['with a lost pictogram', { 'claim.hint': 'Dla {{who}}: `/tip to`, **{{amount}}**.\nZawsze.' }, /pictograms/],
    ['with too long a label', { 'claim.takeButton': 'Biorę '.repeat(20).trim() }, /a button's label may have 80/],
    ['with a capital in a name', { 'commands.tip.name': 'Napiwek' }, /is no name/],
    ['with one name for two commands', { 'commands.tip.name': 'reward' }, /is the name of commands.tip too/],
    ['with two names for one option', { 'commands.tip.options.to.name': 'komu' }, /use one name for both/],
    ['with too long a description', { 'commands.tip.description': 'a'.repeat(101) }, /may have 100/],
  ])('refuses a language %s', (_, change, fault) => {
    expect(faultsOf('pl', polish(change), original)).toContainEqual(expect.stringMatching(fault))
  })

  test('refuses a language in which a sentence is missing or still in English', () => {
    const english = { ...original, help: 'This is how you send it' }
    expect(faultsOf('pl', { ...polish(), help: 'This is how you send it' }, english)).toEqual([
      'help: has not been translated',
    ])
    const { help: _, ...rest } = english
    expect(faultsOf('pl', polish(), { ...rest, more: 'x' })).toEqual(['more: is missing'])
  })
})

test('sentences name commands and options in the reader’s language', () => {
  const english = {
    commands: {
      tip: { name: 'tip', options: { to: { name: 'to' } } },
      voucher: { name: 'voucher', verbs: { drop: { name: 'drop', options: { draw: { name: 'draw' } } } } },
    },
  }
  const own = (text: string) =>
    withOwnNames(
      {
        commands: {
          tip: { name: 'gib', options: { to: { name: 'wem' } } },
          voucher: { name: 'gutschein', verbs: { drop: { name: 'streuen', options: { draw: { name: 'los' } } } } },
        },
        text,
      },
      english,
    ).text
  expect(own('`/tip to amount` or /tip to somebody')).toBe('`/gib wem amount` or /gib to somebody')
  expect(own('With `draw`, `/voucher drop draw` waits; /voucher drop draw:True too')).toBe(
    'With `los`, `/gutschein streuen los` waits; /gutschein streuen los:True too',
  )
  expect(own('変更は/tipで、`/voucher`も')).toBe('変更は/gibで、`/gutschein`も')
  expect(own('https://x.test/tip, 1/tip and </tip:1> and `all` stay')).toBe(
    'https://x.test/tip, 1/tip and </tip:1> and `all` stay',
  )
})

test('a list has the right words and commas between names in each language', () => {
  const translatorFor = createTranslators(() => false)
  const list = (code: string, ...names: string[]) => translatorFor(code).list(names)
  expect(list('en', 'Ann', 'Bo', 'Cy')).toBe('Ann, Bo, and Cy')
  expect([list('th', 'Ann', 'Bo'), list('th', 'Ann', 'Bo', 'Cy')]).toEqual(['Ann และ Bo', 'Ann Bo และ Cy'])
  expect([list('zh', 'Ann', 'Bo'), list('zh-TW', 'Ann', 'Bo', 'Cy')]).toEqual(['Ann 和 Bo', 'Ann、Bo 和 Cy'])
  expect(list('ja', 'Ann', 'Bo')).toBe('Ann、Bo')
})

test('a Korean particle agrees with the preceding name, whatever the name’s language', () => {
  const commands = { tip: { name: '팁', options: { amount: { name: '금액' }, role: { name: '역할' } } } }
  const original = { tip: { name: 'tip', options: { amount: { name: 'amount' }, role: { name: 'role' } } } }
  const said = (text: string, ids?: Map<string, string>) =>
    withOwnNames({ commands, text }, { commands: original }, ids).text
  expect(said('`/tip`로, `/tip amount`는, `amount`로, `role`으로, `all`은')).toBe(
    '`/팁`으로, `/팁 금액`은, `금액`으로, `역할`로, `all`은',
  )
  expect(said('`/tip`로, `/tip amount`는', new Map([['tip', '1']]))).toBe('</tip:1>로, </tip:1> `금액`은')
  expect(said('`amount`이나 `amount`가요')).toBe('`금액`이나 `금액`가요')
})

test('commands in sentences are clickable in every language once their ids are known', () => {
  const translatorFor = createTranslators(() => false)
  const ids = new Map([
    ['deposit', '11'],
    ['voucher', '12'],
    ['status', '13'],
  ])
  expect(translatorFor('de')('balance.empty')).toContain('`/einzahlen 1000`')
  translatorFor.linkCommands(ids)
  const facts = { balance: sats(1), needed: sats(2), deposit: '1' }
  expect(translatorFor('en')('refusals.insufficient-funds', facts)).toContain('</deposit:11> `1` adds the rest.')
  for (const { code } of languages) {
    const t = translatorFor(code)
    expect(t('balance.empty'), code).toContain('</deposit:11> `1000`')
    expect(t('refusals.voucher-not-found'), code).toContain('</voucher list:12>')
    expect(t('status.verify'), code).toMatch(/<\/status:13> `\S+:True`/)
    // Its id is unknown, so it is only named; and a person's own text is not changed.
    expect(t('leaderboard.hide'), code).toMatch(/`\/\S+`/)
    expect(t('tip.bell', { people: '`/deposit`' }), code).toContain('`/deposit`')
  }
  expect(translatorFor('de')('status.verify')).toContain('</status:13> `prüfen:True`')
})
