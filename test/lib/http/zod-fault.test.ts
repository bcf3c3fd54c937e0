import { expect, it } from 'vitest'
import { z } from 'zod'
import { firstFault } from '../../../src/lib/http/zod-fault.ts'

const shape = z.strictObject({
  name: z.string().min(2).max(4).optional(),
  count: z.int().min(1).max(9).optional(),
  list: z.array(z.boolean()).max(1).optional(),
  kind: z.enum(['a', 'b']).optional(),
  either: z.union([z.string(), z.number()]).optional(),
  code: z.string().regex(/^x$/, 'must be an x').optional(),
  bare: z.string().regex(/^x$/).optional(),
  deep: z.object({ er: z.string() }).optional(),
  all: z.record(z.string(), z.string()).optional(),
})

it.each([
  [[], 'The input must be an object.'],
  [{ name: 1 }, '"name" must be a text.'],
  [{ name: 'a' }, '"name" must be at least 2 characters long.'],
  [{ name: 'abcde' }, '"name" must be at most 4 characters long.'],
  [{ count: 'many' }, '"count" must be a number.'],
  [{ count: 0 }, '"count" must be at least 1.'],
  [{ count: 10 }, '"count" must be at most 9.'],
  [{ count: 1.5 }, '"count" must be a whole number.'],
  [{ list: [1] }, '"list.0" must be true or false.'],
  [{ list: [true, true] }, '"list" must be at most 1 items long.'],
  [{ kind: 'c' }, '"kind" must be one of a, b.'],
  [{ either: {} }, '"either" is of a kind that cannot be used here.'],
  [{ code: 'y' }, '"code" must be an x.'],
  [{ bare: 'y' }, '"bare" has the wrong form.'],
  [{ deep: {} }, '"deep.er" is missing.'],
  [{ all: 1 }, '"all" must be an object.'],
  [{ nmae: 'a' }, 'The input has no field "nmae".'],
])('the fault in the input %j is explained as: %s', (input, words) => {
  const { error } = shape.safeParse(input)
  expect(error && firstFault(error, input)).toBe(words)
})
