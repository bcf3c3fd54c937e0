import { expect, it } from 'vitest'
import { readOrder } from '../../src/cli/admin-order.ts'

it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'project', 'project constructor'])(
  'an unknown command %s is refused with an explanation',
  (typed) => {
    expect(() => readOrder(typed.split(' '))).toThrow(`There is no command "${typed}".`)
  },
)
