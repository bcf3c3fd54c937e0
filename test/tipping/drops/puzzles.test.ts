import { describe, expect, it } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { isRight, makePuzzle } from '../../../src/tipping/drops/puzzles.ts'

describe('an answer to a puzzle', () => {
  it.each([
    ['Zürich', 'zurich'],
    ['São Paulo', '  sao   paulo! '],
    ['Satoshi | Satoshi Nakamoto', 'SATOSHI NAKAMOTO'],
    ['ﬁat', '“Fiat”'],
    ['Каляй', 'каляи'],
    ['Satoshi', '?!"“Satoshi”".'],
  ])('is right for the solution %j: %j', (answer, typed) => {
    expect(isRight('trivia', answer, typed)).toBe(true)
  })

  it.each([
    ['がく', 'かく'],
    ['कि', 'क'],
    ['Satoshi', ''],
    ['Satoshi', undefined],
    ['Satoshi | ', ''],
    ['a b', 'ab'],
    ['3.14', '314'],
    ['Satoshi', 'Satoshi | Hal'],
    ['21', '210'],
  ])('is wrong for the solution %j: %j', (answer, typed) => {
    expect(isRight('trivia', answer, typed)).toBe(false)
  })
})

describe('a generated puzzle', () => {
  const made = (puzzle: 'sum' | 'phrase', answer?: string) => {
    const command = { member: 'alice', amount: '1', shares: 1, puzzle, answer }
    const origin = { interaction: 'one', guild: null, channel: 'channel', reply: '', locale: 'en' }
    return makePuzzle(systemEntropy, { ...command, origin })
  }

  it('is a sum of two numbers with two digits each', () => {
    for (let i = 0; i < 100; i += 1) {
      const { question = '', answer } = made('sum') ?? {}
      expect(question).toMatch(/^[1-8]\d \+ [1-8]\d$/)
      expect(answer).toBe(String(question.split(' + ').reduce((sum, each) => sum + Number(each), 0)))
    }
  })

  it('is a phrase of three distinct words, unless the giver writes one', () => {
    for (let i = 0; i < 200; i += 1) {
      const { question = '', answer } = made('phrase', ' ') ?? {}
      expect(question).toMatch(/^[a-z]{4,5} [a-z]{4,5} [a-z]{4,5}$/)
      expect(answer).toBe(question)
    }
    expect(made('phrase', ' To | moon ')).toEqual({ puzzle: 'phrase', question: 'To | moon', answer: 'To | moon' })
    expect([isRight('phrase', 'To | moon', 'to | moon'), isRight('phrase', 'To | moon', 'to')]).toEqual([true, false])
  })
})
