import { expect, it } from 'vitest'
import { readOrder } from '../../src/cli/admin-order.ts'
import { OPERATOR_VERBS } from '../../src/cli/satchel-commands.ts'

it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'project', 'project constructor'])(
  'the unknown command %s is refused with an explanation',
  (typed) => {
    expect(() => readOrder(typed.split(' '))).toThrow(`There is no command "${typed}".`)
  },
)

it.each(OPERATOR_VERBS)('the help for %s explains the option --by', (verb) => {
  expect(readOrder([verb, '--help'])).toMatch(/--by NAME says who you are: best your Discord id/)
})
