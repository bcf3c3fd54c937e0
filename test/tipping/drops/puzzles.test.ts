import { describe, expect, it } from 'vitest'
import { isRight } from '../../../src/tipping/drops/puzzles.ts'

describe('an answer', () => {
  it.each([
    ['Zürich', 'zurich'],
    ['São Paulo', '  sao   paulo! '],
    ['Satoshi | Satoshi Nakamoto', 'SATOSHI NAKAMOTO'],
    ['ﬁat', '“Fiat”'],
    ['Каляй', 'каляи'],
  ])('to %j may be written as %j', (answer, typed) => {
    expect(isRight('trivia', answer, typed)).toBe(true)
  })

  it.each([
    ['がく', 'かく'],
    ['कि', 'क'],
    ['Satoshi', ''],
    ['Satoshi', 'Satoshi | Hal'],
    ['21', '210'],
  ])('to %j is not %j', (answer, typed) => {
    expect(isRight('trivia', answer, typed)).toBe(false)
  })
})
