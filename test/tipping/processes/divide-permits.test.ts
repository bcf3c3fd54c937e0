import { expect, test } from 'vitest'
import { dividePermits } from '../../../src/tipping/processes/divide-permits.ts'

const wants = (answer = 0, card = 0, background = 0) => ({ answer, card, background })

test('each process gets at least the smallest share, and more if it needs more', () => {
  expect(dividePermits(45, [wants(), wants(3)])).toEqual([5, 5])
  expect(dividePermits(45, [wants(0, 0, 200)])).toEqual([45])
})

test('permits go first to the answers of any process, then to cards, then to the rest', () => {
  expect(dividePermits(45, [wants(30), wants(0, 100), wants(0, 0, 100)])).toEqual([30, 10, 5])
  expect(dividePermits(45, [wants(0, 20), wants(0, 0, 100)])).toEqual([20, 25])
})

test('equally urgent calls share the permits equally', () => {
  expect(dividePermits(45, [wants(100), wants(100), wants(12)])).toEqual([17, 16, 12])
})

test('all processes together never get more permits than there are', () => {
  const many = Array.from({ length: 20 }, () => wants(50, 50, 50))
  const shares = dividePermits(45, many)
  expect(shares.reduce((sum, share) => sum + share, 0)).toBe(45)
  expect(Math.min(...shares)).toBe(2)
})
