import { expect, it } from 'vitest'
import { oneLine } from '../../../src/playground/page/text/one-line.ts'

const known = {
  person: (id: string) => (id === '123456789012345678' ? 'under_score' : undefined),
  role: (id: string) => (id === '223456789012345678' ? 'Regulars' : undefined),
  channel: () => undefined,
  now: 0,
  language: 'en-US',
}

it.each([
  ['🎉 Drawn for **100 sats**: <@123456789012345678>.', '🎉 Drawn for 100 sats: @under_score.'],
  ['<@&223456789012345678>, see <#323456789012345678>', '@Regulars, see #unknown'],
  ['-# </giveaway verify:423456789012345678> · `899bed`', '/giveaway verify · 899bed'],
  ['<:satchel_bag:523456789012345678> ||hidden||', ':satchel_bag: hidden'],
])('the line that a reply quotes shows %j as plain words', (text, words) => {
  expect(oneLine(text, known)).toBe(words)
})

it('the line that a reply quotes shows a time as a date', () => {
  expect(oneLine('Claim by <t:1795772933:f>, or somebody else is drawn.', known)).toMatch(
    /^Claim by November 27, 2026.*, or somebody else is drawn\.$/,
  )
})
