import { describe, expect, it } from 'vitest'
import { faultsOf } from '../../../scripts/translations/faults.ts'
import { languages, readSentences } from '../../../src/bot/i18n/languages.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { html } from '../../../src/lib/web/html.ts'
import { isSpoken, LANGUAGES, type LanguageCode } from '../../../src/payments-service/wallet-page/i18n/languages.ts'
import { createTranslators, readTexts } from '../../../src/payments-service/wallet-page/i18n/translator.ts'
import { languageOf } from '../../../src/payments-service/wallet-page/language.ts'
import { examplesOf } from '../../support/typed-examples.ts'
import { ServiceWorld } from '../harness.ts'
import { Browser, signedIn } from './browser.ts'

const codes = Object.keys(LANGUAGES).filter(isSpoken)
const speak = createTranslators()

const spokenByBot = codes.filter((code) => code !== 'ar')

it('the wallet page comes in the bot’s languages and in Arabic, which Discord lacks', () => {
  expect(spokenByBot.toSorted()).toEqual(languages.map(({ code }) => code).toSorted())
})

describe.each(codes)('the wallet page in %s', (code: LanguageCode) => {
  it('has every text, with all its placeholders', () => {
    const faults = faultsOf(code, { ...readTexts(code), commands: {} }, { ...readTexts('en'), commands: {} })
    expect(faults).toEqual([])
  })

  it('has example amounts that use the language’s decimal mark and can be typed', () => {
    const { texts, faults } = examplesOf(code, readTexts(code), readTexts('en'))
    expect(texts).toBeGreaterThan(2)
    expect(faults).toEqual([])
    expect(speak(code)('amount.ambiguous')).toMatch(/(?<![\d.,])1000(?![\d.,]\d)/)
  })
})

describe.each(spokenByBot)('the wallet’s texts in %s', (code: LanguageCode) => {
  it('name commands and pages as the bot’s texts do', () => {
    const bot = readSentences(code) as unknown as {
      commands: Record<'link' | 'wallet', { name: string }>
      refusals: { 'gamertag-unproven': string }
    }
    const t = speak(code)
    expect(t('commands.link')).toBe(bot.commands.link.name)
    expect(t('commands.wallet')).toBe(bot.commands.wallet.name)
    // Discord may be in another language than the page, and then shows the English name.
    for (const name of ['link', 'wallet'] as const) {
      const own = bot.commands[name].name
      expect(t.command(name)).toBe(own === name ? `/${name}` : `/${own} (/${name})`)
    }
    expect(bot.refusals['gamertag-unproven']).toContain(t('parts.settings'))
    expect(bot.refusals['gamertag-unproven']).toContain(t('link.button'))
  })
})

it.each([
  [undefined, 'en'],
  ['*', 'en'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['sv, en;q=0.5, fr;q=0.7', 'fr'],
  ['fr;q=0, nl;q=0.1', 'nl'],
  ['zh-CN,zh;q=0.9', 'zh'],
  ['zh-TW,zh;q=0.9', 'zh-TW'],
  ['zh-Hant-HK', 'zh-TW'],
  ['constructor, __proto__;q=0.9', 'en'],
])('a browser with the language header %s gets the page in %s', (asked, code) => {
  expect(languageOf({ headers: { 'accept-language': asked } })).toBe(code)
})

it('a chosen language overrides the browser’s language if the wallet has it', () => {
  const headers = { 'accept-language': 'fr' }
  expect(languageOf({ headers: { ...headers, cookie: 'wallet=x; wallet-language=ja' } })).toBe('ja')
  expect(languageOf({ headers: { ...headers, cookie: 'wallet-language=xx' } })).toBe('fr')
})

it('a person’s text is escaped, and placeholders in it are not filled in', () => {
  const t = speak('de')
  expect(t('items.to', { name: '{{name}} $t(parts.send) <b>' })).toBe('An {{name}} $t(parts.send) <b>')
  expect(t.rich('items.to', { name: '<b>' }).text).toBe('An &#60;b&#62;')
  expect(t.rich('items.to', { name: html`<b>x</b>` }).text).toBe('An <b>x</b>')
  expect(t.amount(sats(1_234), 'sats')).toBe('1.234\u00a0Sats')
})

it('a right-to-left language mirrors the page, but not the codes and commands in it', async () => {
  const world = await ServiceWorld.open()
  try {
    const { browser } = await signedIn(world, 'alice')
    const directionOf = async (path: string) => {
      const { root } = await browser.open(path)
      return root.querySelector('html')?.getAttribute('dir')
    }
    expect(await directionOf('/wallet/settings')).toBeUndefined()
    await browser.submit('/wallet/language', { language: 'ar' })
    expect(await directionOf('/wallet/receive')).toBe('rtl')
    // Codes and addresses are not turned around.
    expect(browser.page?.root.querySelector('input[readonly]')?.getAttribute('dir')).toBe('ltr')
    // The slash would end up on the other side of its command.
    expect((await browser.open('/wallet/settings')).root.text).toContain('\u2068/wallet\u2069')
  } finally {
    await world.close()
  }
  // In other languages a fact is nothing but itself.
  expect(speak('de')('items.to', { name: 'x' })).toBe('An x')
})

it('a chosen language is used for all later pages', async () => {
  const world = await ServiceWorld.open()
  try {
    const { browser } = await signedIn(world, 'alice')
    await browser.open('/wallet/settings')
    await browser.post('/wallet/language', { ...browser.fieldsOf('/wallet/language'), language: 'xx' })
    expect(browser.page?.status).toBe(400)
    await browser.open('/wallet/settings')
    const page = await browser.submit('/wallet/language', { language: 'de' })
    expect(page.root.querySelector('html')?.getAttribute('lang')).toBe('de')
    expect(page.text).toContain('Code zeigen')
    expect(page.text).toContain('/verbinden (/link)')
    expect(page.root.querySelector('option[selected]')?.getAttribute('value')).toBe('de')
    const stranger = new Browser(world)
    expect((await stranger.open('/wallet')).root.querySelector('html')?.getAttribute('lang')).toBe('en')
  } finally {
    await world.close()
  }
})
