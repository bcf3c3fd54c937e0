import { describe, expect, it } from 'vitest'
import { readSuccessAction, unknownAction, wordsOf } from '../../../src/lib/lightning/success-action.ts'
import { lockText } from '../../support/locked-text.ts'

const PREIMAGE = '0a'.repeat(32)

const locked = (text: string) => lockText(text, PREIMAGE)

describe('a success action', () => {
  it.each([
    [{ tag: 'message', message: ' Thank you \u0007☕\nSee you ' }, { words: 'Thank you ☕\nSee you' }],
    [
      { tag: 'url', description: 'Your ticket', url: 'https://x.org/t?id=1' },
      { words: 'Your ticket', url: 'https://x.org/t?id=1' },
    ],
    [
      { tag: 'url', url: 'https://x.org/t' },
      { words: '', url: 'https://x.org/t' },
    ],
    [
      { tag: 'url', description: null, url: 'https://x.org/t' },
      { words: '', url: 'https://x.org/t' },
    ],
    [{ tag: 'url', description: 'No page', url: 'javascript:alert(1)' }, { words: 'No page' }],
    [{ tag: 'url', description: 'No page' }, { words: 'No page' }],
    [{ tag: 'message', message: 'x'.repeat(165) }, { words: 'x'.repeat(165) }],
    [{ tag: 'message', message: 'x'.repeat(5_000) }, { words: `${'x'.repeat(1_000)}…` }],
    [locked('sesame 🔑'), { words: 'Your code', secret: 'sesame 🔑' }],
    [
      { ...locked('x'), description: 7 },
      { words: '', secret: 'x' },
    ],
  ])('that is %j is shown as %j before and after it is stored', (given, shown) => {
    const action = readSuccessAction(given)
    expect(action && wordsOf(action, PREIMAGE)).toEqual(shown)
    const kept = readSuccessAction(JSON.stringify(action))
    expect(kept && wordsOf(kept, PREIMAGE.toUpperCase())).toEqual(shown)
  })

  it.each([
    undefined,
    null,
    '',
    'thanks',
    7,
    [],
    {},
    { tag: '' },
    { tag: 7 },
    { tag: 'message' },
    { tag: 'message', message: '' },
    { tag: 'message', message: 7 },
    { tag: 'url' },
    { tag: 'aes' },
    { ...locked('x'), iv: 'short' },
    { ...locked('x'), ciphertext: '<>' },
  ])('is ignored if it is %j', (given) => {
    expect(readSuccessAction(given)).toBeUndefined()
    expect(unknownAction(given)).toBeUndefined()
  })

  it('is named after its tag if its kind is unknown', () => {
    expect(unknownAction({ tag: 'hologram', message: 'x' })).toBe('hologram')
    expect(unknownAction({ tag: 'MESSAGE' })).toBe('MESSAGE')
    expect(unknownAction({ tag: 'x\u0000'.repeat(100) })).toBe('x'.repeat(40))
  })

  it.each([undefined, '', 'no hex', '0b'.repeat(32), PREIMAGE.slice(2)])(
    'stays locked if the preimage is %s',
    (key) => {
      const action = readSuccessAction(locked('sesame'))
      expect(action && wordsOf(action, key)).toEqual({ words: 'Your code', secret: 'locked' })
    },
  )
})
