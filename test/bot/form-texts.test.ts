import { expect, it } from 'vitest'
import { formOfDrop } from '../../src/bot/drops/form.ts'
import { formOfGiveaway } from '../../src/bot/giveaways/form.ts'
import { languages, readSentences } from '../../src/bot/i18n/languages.ts'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { chosenLines } from '../../src/bot/settings/server.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { partOfBalance } from '../../src/lib/money/amount-text.ts'
import type { ServerDefaults } from '../../src/tipping/tipping.ts'
import { examplesOf } from '../support/typed-examples.ts'

const none = { amount: undefined, shares: undefined, minutes: undefined, role: undefined, reason: undefined }

it.each(languages.map(({ code }) => code))('a form in %s shows its full title and labels', (code) => {
  const t = createTranslators(() => false)(code)
  const forms = [false, true].flatMap((pool) => [
    formOfDrop({ ...none, way: 'first', pool, record: '' }, t),
    formOfGiveaway(pool ? { from: 'pool' } : {}, t),
  ])
  const texts = forms.flatMap(({ title, fields }) => [title, ...fields.map(({ label }) => label)])
  expect(texts.filter((text) => text.endsWith('…'))).toEqual([])
  expect(texts.every((text) => text.length > 0 && text.length <= 45)).toBe(true)
})

it.each(languages.map(({ code }) => code))('a choice field in %s has no examples to type', (code) => {
  const t = createTranslators(() => false)(code)
  const { fields } = formOfGiveaway({}, t)
  const chosen = fields.filter((field) => 'radios' in field)
  expect(chosen.map(({ name }) => name)).toEqual(['winners', 'duration', 'min-age'])
  expect(chosen.filter(({ hint = '' }) => hint.includes('30m') || hint.includes('2h'))).toEqual([])
})

it.each(languages.map(({ code }) => code))(
  'example amounts in %s use that language’s decimal separator and can be typed',
  (code) => {
    const { texts, faults } = examplesOf(code, readSentences(code), readSentences('en'))
    expect(texts).toBeGreaterThan(10)
    expect(faults).toEqual([])
  },
)

it.each(languages.map(({ code }) => code))(
  'the hint of a tip’s form in %s ends with the language’s word for half',
  (code) => {
    const hint = createTranslators(() => false)(code)('tipForm.amountHint')
    const ends = [...hint].map((_, at) => partOfBalance(hint.slice(at), msats(200_000n)))
    expect(ends).toContain(100_000n)
    if (code !== 'en') expect(hint).not.toMatch(/half/)
  },
)

it('a drop’s form labels its choice of durations “Duration”', () => {
  const { fields } = formOfDrop(
    { ...none, way: 'first', pool: false, record: '' },
    createTranslators(() => false)('en'),
  )
  expect(fields.find(({ name }) => name === 'minutes')).toMatchObject({ label: 'Duration' })
})

it('a minimum age of 0 days is shown as no minimum', () => {
  const around = { t: createTranslators(() => false)('en'), defaults: {} as ServerDefaults }
  expect(chosenLines({ rainAccountDays: 0, rainMemberDays: 0 }, around)).toEqual([
    '🌧️ Account age for rain and drops: **no minimum**',
    '🏠 Time in this server for rain and drops: **no minimum**',
  ])
})

it.each([
  ['noLinks', 'Links in what people write'],
  ['noAnonymousTips', 'Anonymous tips'],
] as const)('the prohibition %s is shown as a permission that is on or off', (name, title) => {
  const around = { t: createTranslators(() => false)('en'), defaults: {} as ServerDefaults }
  const [allowed] = chosenLines({ [name]: false }, around)
  const [forbidden] = chosenLines({ [name]: true }, around)
  expect(allowed).toContain(`${title}: **on`)
  expect(forbidden).toContain(`${title}: **off**`)
})
