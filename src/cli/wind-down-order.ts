import { parseArgs } from 'node:util'
import { Problem } from '../lib/problem.ts'
import type { OperatorAccess } from '../tipping/operator-access.ts'
import { operatorOf } from './operator-order.ts'

/**
 * Writes the claim list to a file, signed with this installation's key. The key must exist before `list` is called.
 * `isFirst` is true if the book has no list yet. Resolves to the answer to print.
 */
export type WriteClaims = (
  file: string,
  isFirst: boolean,
  list: OperatorAccess['windDown']['claims'],
) => Promise<unknown>

/** Runs a command of the wind-down. Resolves to the answer to print. */
export type WindDownOrder = (access: OperatorAccess, write: WriteClaims) => Promise<unknown>

const WAYS = ['--by DATE', '--dry-run', '--stop', '--claims FILE']

/** Reads the arguments of `satchel wind-down`. Throws Problem if they are wrong. */
export function readWindDownOrder(args: readonly string[]): WindDownOrder {
  const { by, stop, claims, operator: name, 'dry-run': dryRun } = read(args)
  const chosen = [by !== undefined, dryRun, stop, claims !== undefined].filter((each) => each === true)
  if (chosen.length > 1)
    throw new Problem(`Give only one of ${WAYS.join(', ')}, or none to see how far the wind-down has come.`)
  const operator = operatorOf(name, (problem) => new Problem(problem.replace('--by', '--operator')))
  if (by !== undefined) return ({ windDown }) => windDown.start({ by, operator })
  if (dryRun) return ({ windDown }) => windDown.plan()
  if (claims !== undefined) {
    return async ({ windDown }, write) =>
      await write(claims, (await windDown.status())?.state !== 'listed', () => windDown.claims())
  }
  if (!stop) return async ({ windDown }) => (await windDown.status()) ?? { state: 'none' }
  return async ({ windDown }) => {
    await windDown.stop({ operator })
    return { state: 'stopped' }
  }
}

function read(args: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = { by: text, operator: text, claims: text, stop: flag, 'dry-run': flag }
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new Problem(`${error instanceof Error ? error.message : String(error)}. See satchel wind-down --help`)
  }
}
