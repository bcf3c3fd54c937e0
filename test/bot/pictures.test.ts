import { expect, test } from 'vitest'
import { languages } from '../../src/bot/i18n/languages.ts'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { leaderboard } from '../../src/bot/insights/command.ts'
import { leaderboardPicture } from '../../src/bot/insights/leaderboard-picture.ts'
import { beginsLater, sinceTheFirst } from '../../src/bot/insights/stats-picture.ts'
import type { Call } from '../../src/bot/interactions/command.ts'
import { layOut, nameAxis } from '../../src/bot/pictures/axes.ts'
import { moment, short } from '../../src/bot/pictures/figures.ts'
import { drawableName, fontFilesFor, isDrawable } from '../../src/bot/pictures/fonts.ts'
import { drawnTitle } from '../../src/bot/pictures/titles.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { html } from '../../src/lib/web/html.ts'

const translatorFor = createTranslators(() => true)
const TITLES = [
  'leaderboard.picture.tippers',
  'leaderboard.picture.receivers',
  'stats.picture.hour',
  'stats.picture.day',
  'stats.picture.month',
  'pool.picture.balance',
  'pool.picture.flow',
] as const

test('the title of a picture marks test sats as such, in letters that the font has', () => {
  expect(drawnTitle('stats.picture.day', translatorFor('en'), { testMoney: true })).toBe('Given each day · test sats')
  expect(drawnTitle('stats.picture.day', translatorFor('en'), { testMoney: false })).toBe('Given each day · sats')
  expect(drawnTitle('stats.picture.day', translatorFor('de'), { testMoney: true })).toBe('Gegeben je Tag · Test-Sats')
  expect(drawnTitle('stats.picture.day', translatorFor('hi'), { testMoney: true })).toBe('Given each day · test sats')
  expect(drawnTitle('stats.picture.day', translatorFor('zh'), { testMoney: true })).toBe('按天送出 · test sats')
  expect(drawnTitle('stats.picture.day', translatorFor('zh-TW'), { testMoney: true })).toBe('按天送出 · 測試 sats')
  for (const { code } of languages) {
    for (const key of TITLES) {
      const [real, test] = [false, true].map((testMoney) => drawnTitle(key, translatorFor(code), { testMoney }))
      expect(real).toMatch(/ · (sats?|사토시)$/i)
      expect(test).toMatch(/ · .+/)
      expect(test).not.toBe(real)
      expect(`${real} ${test}`).not.toContain('{{')
    }
  }
})

test('a picture’s bars begin at the first tip, but always cover at least a week', () => {
  const days = (...amounts: number[]) => amounts.map((amount, day) => ({ from: new Date(day), amount: sats(amount) }))
  const shown = (...amounts: number[]) => sinceTheFirst(days(...amounts)).map(({ amount }) => Number(amount) / 1_000)
  expect(shown(0, 0, 0, 0, 0, 0, 0, 0, 9)).toEqual([0, 0, 0, 0, 0, 0, 9])
  expect(shown(0, 0, 5, 0, 0, 0, 0, 0, 0, 9)).toEqual([5, 0, 0, 0, 0, 0, 0, 9])
  expect(shown(3, 0, 0, 0, 0, 0, 0, 9)).toEqual([3, 0, 0, 0, 0, 0, 0, 9])
  expect(shown(0, 0, 0, 0, 0, 0, 0, 0)).toHaveLength(8)
})

test('a note names the time before which a picture omits empty bars', () => {
  const t = translatorFor('en')
  const bar = (nth: number, amount: number) => ({ from: new Date(Date.UTC(2030, 0, 1 + nth)), amount: sats(amount) })
  const bars = Array.from({ length: 10 }, (_, nth) => bar(nth, nth > 1 ? 5 : 0))
  // No word about a first gift: an older one may exist.
  const says = /^The picture leaves out the empty time before <t:(\d+):D>\.$/.exec(beginsLater(bars, 'day', t) ?? '')
  // The bar's date, for readers far west and far east of Greenwich too.
  for (const timeZone of ['Pacific/Honolulu', 'UTC', 'Pacific/Auckland']) {
    const date = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone }).format(Number(says?.[1]) * 1_000)
    expect(date, timeZone).toBe('January 3, 2030')
  }
  expect(beginsLater(bars, 'hour', t)).toContain(`<t:${Date.UTC(2030, 0, 3) / 1_000}:f>`)
  expect(beginsLater(bars.slice(3), 'day', t)).toBeUndefined()
  expect(beginsLater([bar(0, 0), bar(1, 0)], 'day', t)).toBeUndefined()
})

test('characters that XML does not allow are removed from a picture’s text', () => {
  const odd = [
    'a\0b',
    '\u001b[31mb',
    '\ud800c',
    '\ufffed',
    '\uffffe',
    '\u0007',
    'tab\tand\nline',
    '👩‍👩‍👧',
    '\u{10ffff}',
  ]
  const written = odd.map((name) => html`<text>${name}</text>`.text.slice(6, -7))
  expect(written).toEqual(['ab', '[31mb', 'c', 'd', 'e', '', 'tab\tand\nline', '👩‍👩‍👧', '\u{10ffff}'])
})

test('a leaderboard’s alternative text has a dash for an empty list', async () => {
  const one = async () => ({ tippers: [{ member: '1', amount: sats(5) }], receivers: [] })
  const call = {
    ...{ guild: '1', toAll: translatorFor('en'), options: {} },
    tipping: { insights: { leaderboard: one }, testMoney: true },
    members: { names: async () => new Map([['1', { shown: 'Alice', username: 'alice' }]]) },
  } as unknown as Call<typeof leaderboard.options>
  const { say } = (await leaderboard.run(call)) as { say: { pictures: { alt: string }[] } }
  expect(say.pictures[0]?.alt).toBe('Leaderboard. Gave most: Alice (5 test sats). Got most: –.')
})

test('a time that Discord does not localize is shown with its time zone', () => {
  const moment = new Date(Date.UTC(2030, 0, 2, 15, 4))
  expect(translatorFor('de').moment(moment)).toBe('02.01.2030, 15:04 UTC')
})

test.each([
  ['en', -30_000, 'this minute'],
  ['en', -119_000, '1 minute ago'],
  ['en', 7_200_000, 'in 2 hours'],
  ['de', -86_400_000, 'gestern'],
  ['ja', 3 * 86_400_000 + 1, '3 日後'],
])('a distance in time is written in words: %s, %d ms', (language, ms, said) => {
  const now = new Date(Date.UTC(2030, 0, 2, 15, 4))
  expect(translatorFor(language).fromNow(new Date(now.getTime() + ms), now)).toBe(said)
})

test('a person’s name is cut off before it reaches the sum, even with wide letters', async () => {
  const draw = (name: string) => {
    const lines = [{ name, amount: sats(21_000_000) }]
    return leaderboardPicture(
      { tippers: lines, receivers: [] },
      { tippers: 'Given', receivers: '' },
      translatorFor('en'),
    )
  }
  expect(await draw('W'.repeat(26))).toEqual(await draw('W'.repeat(60)))
  expect(await draw('W'.repeat(12))).not.toEqual(await draw('W'.repeat(26)))
})

test.each([
  ['Łukasz Ольга Ένα', 'Łukasz Ольга Ένα'],
  ['مُحَمَّد العلي', 'مُحَمَّد العلي'],
  ['علی‌رضا', 'علی‌رضا'],
  ['דניאל Dan', 'דניאל Dan'],
  ['สมชาย ใจดี', 'สมชาย ใจดี'],
  ['김민준', '김민준'],
  ['田中さくら 🌸', '田中さくら'],
  ['陳大文', '陳大文'],
  ['José ✨ 🇪🇸 1️⃣', 'José 1'],
  ['👩‍🚀 Ann', 'Ann'],
  ['𝓐𝓵𝓲𝓬𝓮', 'Alice'],
  ['\u202eevil', 'evil'],
])('a name is drawn in its own script, in plain letters and without pictograms: %s', (name, drawn) => {
  expect(drawableName(name)).toBe(drawn)
})

test.each(['🚀🚀', 'राहुल शर्मा', '刘洋', 'ᓚᘏᗢ', 'ที่ مُحَمَّد', ' ', '\u200b'])(
  'a name is not drawn if it is blank or the fonts cannot show it: %s',
  (name) => {
    expect(drawableName(name)).toBeUndefined()
  },
)

test('a leaderboard loads only needed fonts, and shows usernames for undrawable names', async () => {
  const say = async (shown: string) => {
    const board = async () => ({ tippers: [{ member: '1', amount: sats(5) }], receivers: [] })
    const call = {
      ...{ guild: '1', toAll: translatorFor('en'), options: {} },
      tipping: { insights: { leaderboard: board }, testMoney: true },
      members: { names: async () => new Map([['1', { shown, username: 'rahul' }]]) },
    } as unknown as Call<typeof leaderboard.options>
    return ((await leaderboard.run(call)) as { say: { pictures: { alt: string; png: Buffer }[] } }).say.pictures[0]
  }
  const [own, plain, other] = [await say('राहुल'), await say('rahul'), await say('محمد')]
  expect(own?.alt).toContain('rahul (5 test sats)')
  expect(own?.png).toEqual(plain?.png)
  expect(other?.alt).toContain('محمد')
  expect(other?.png).not.toEqual(plain?.png)
  expect(fontFilesFor('abc').map((file) => file.split('/').at(-1))).toEqual([
    'Inter_500Medium.ttf',
    'Inter_700Bold.ttf',
  ])
  expect(fontFilesFor('محمد').map((file) => file.split('/').at(-1))).toContain('NotoSansArabic_500Medium.ttf')
})

test('a chart’s axis has ticks at whole sats, includes zero, and spans all values', () => {
  const t = translatorFor('en')
  for (const sums of [[], [0], [1], [3, 2], [117_234, 0, 5], [-30_000, 117_000], [21e14]]) {
    const { ticks, y, top, bottom } = layOut({ top: 100, bottom: 500 }, sums.length, sums, t)
    expect(ticks).toContain(0)
    expect(ticks.length).toBeGreaterThan(1)
    expect(ticks.every(Number.isInteger)).toBe(true)
    for (const sum of sums) {
      expect(y(sum)).toBeGreaterThanOrEqual(top)
      expect(y(sum)).toBeLessThanOrEqual(bottom)
    }
  }
})

test('the newest bar has its label, and no label leaves the frame or overlaps another', () => {
  for (const count of [1, 2, 7, 12, 24, 30]) {
    const names = Array.from({ length: count }, (_, index) => `Oct ${index + 1}`)
    const plot = layOut({ top: 100, bottom: 500 }, count, [20_000], translatorFor('en'))
    const drawn = [...String(nameAxis(plot, names)).matchAll(/<text x="([\d.]+)"[^>]*>([^<]+)</g)]
    expect(drawn.at(-1)?.[2]).toBe(names.at(-1))
    const reach = drawn.map(([, x, name = '']) => [Number(x) - name.length * 5.75, Number(x) + name.length * 5.75])
    for (const [from = 0, to = 0] of reach) {
      expect(from).toBeGreaterThanOrEqual(plot.left - 0.001)
      expect(to).toBeLessThan(plot.right + 32)
    }
    for (const [index, [, to = 0]] of reach.slice(0, -1).entries()) expect(reach[index + 1]?.[0]).toBeGreaterThan(to)
  }
})

test('sums and days are written in the reader’s language if a font has its letters', () => {
  const figures = (code: string) => short(200_000, translatorFor(code))
  expect(['en', 'ja', 'ko', 'zh-TW', 'vi', 'hi'].map(figures)).toEqual([
    '200K',
    '20万',
    '20만',
    '20萬',
    '200\u00a0N',
    '200K',
  ])
  const day = new Date(Date.UTC(2030, 9, 11))
  const days = ['ja', 'ko', 'th', 'hi'].map((code) => moment(day, 'day', translatorFor(code)))
  expect(days).toEqual(['10月11日', '10월 11일', '11 ต.ค.', '11/10'])
})

test('day names in wide characters do not overlap on the axis', () => {
  const names = Array.from({ length: 30 }, (_, index) => `10月${index + 1}日`)
  const plot = layOut({ top: 100, bottom: 500 }, names.length, [200_000], translatorFor('ja'))
  const drawn = [...String(nameAxis(plot, names)).matchAll(/<text x="([\d.]+)"[^>]*>([^<]+)</g)]
  const reach = drawn.map(([, x, name = '']) => [Number(x) - half(name), Number(x) + half(name)])
  for (const [index, [, to = 0]] of reach.slice(0, -1).entries()) expect(reach[index + 1]?.[0]).toBeGreaterThan(to)
})

/** Returns half the drawn width of a name with digits and Chinese characters, in a font of 20 units. */
function half(name: string): number {
  return [...name].reduce((sum, letter) => sum + (/\p{Script=Han}/u.test(letter) ? 20 : 11.5), 0) / 2
}

test('the label under a bar is short and uses only letters that the font has', () => {
  const day = new Date(Date.UTC(2030, 9, 11))
  expect(moment(day, 'day', translatorFor('en'))).toBe('Oct 11')
  expect(moment(day, 'day', translatorFor('de'))).toMatch(/^11\. Okt/)
  for (const { code } of languages) {
    for (const unit of ['hour', 'day', 'month'] as const) {
      expect(isDrawable(moment(day, unit, translatorFor(code)))).toBe(true)
    }
  }
})

test('the titles of leaderboards differ from those of statistics', () => {
  for (const { code } of languages) {
    const t = translatorFor(code)
    for (const span of ['day', 'week', 'month', 'year'] as const) {
      expect(t(`leaderboard.title.${span}`)).toMatch(/^🏆 .+ · ./u)
      expect(t(`stats.title.${span}`)).toMatch(/^📊 .+ · ./u)
    }
  }
})
