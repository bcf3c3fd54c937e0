import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { isHashOf, requestHash } from '../../../src/payments-service/engine/http/request-hash.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Checks hashes from earlier versions, which must not change, because hashes are stored as long as their keys. */
it.each<[string, unknown, string]>([
  ['no body', undefined, 'null'],
  ['null', null, 'null'],
  ['a text', 'text', '"text"'],
  ['a number', 7, '7'],
  ['a list', [2, 1], '[2,1]'],
  ['fields', { b: 'x', a: null }, '{"a":null,"b":"x"}'],
  ['fields in fields', { b: { d: 1, c: [{ f: 1, e: 2 }] }, a: 2 }, '{"a":2,"b":{"c":[{"e":2,"f":1}],"d":1}}'],
])('the hash of %s covers the operation and the fields in alphabetical order', (_what, body, text) => {
  expect(requestHash('pay', body)).toBe(sha256(`pay\n${text}`))
  expect(isHashOf(sha256(`pay\n${text}`), 'pay', body)).toBe(true)
  expect(isHashOf(sha256(`ask\n${text}`), 'pay', body)).toBe(false)
})

it('hashes stored in the older form, which depends on field order, are recognized', () => {
  const body = { b: { d: 1, c: 2 }, a: 3 }
  expect(isHashOf(sha256(`pay\n${JSON.stringify(body)}`), 'pay', body)).toBe(true)
  expect(isHashOf(sha256(`pay\n${JSON.stringify({ a: 3, b: { d: 1, c: 2 } })}`), 'pay', body)).toBe(false)
})

it('requests that differ only in a nested field have different hashes', () => {
  expect(requestHash('pay', { a: { b: 1 } })).not.toBe(requestHash('pay', { a: { b: 2 } }))
  expect(requestHash('pay', { a: [{ b: 1 }] })).not.toBe(requestHash('pay', { a: [{ b: 2 }] }))
})

it('a body that is nested too deeply is refused as the caller’s fault', () => {
  let deep: unknown = 1
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep]
  expect(() => requestHash('pay', { deep })).toThrow(
    expect.objectContaining({ code: 'invalid_body', message: 'The body is nested too deeply. Use fewer levels.' }),
  )
  expect(() => requestHash('pay', { amount: 1n })).toThrow(TypeError)
})
