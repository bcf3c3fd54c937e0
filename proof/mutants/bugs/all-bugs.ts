import { ALL_FAULTS } from '../../faults/all-faults.ts'
import { misplaced } from '../copies/change.ts'
import { DROP_BUGS } from './drop-bugs.ts'
import { FAULT_BUGS } from './fault-bugs.ts'
import { GAPS } from './gaps.ts'
import type { KnownBug } from './known-bug.ts'
import { NEIGHBOUR_BUGS } from './neighbour-bugs.ts'
import { NETWORK_BUGS } from './network-bugs.ts'
import { PAYOUT_BUGS } from './payout-bugs.ts'
import { POOL_BUGS } from './pool-bugs.ts'
import { RECEIVING_BUGS } from './receiving-bugs.ts'
import { SERVICE_BUGS } from './service-bugs.ts'
import { TIP_BUGS } from './tip-bugs.ts'
import { VOUCHER_BUGS } from './voucher-bugs.ts'
import { WITHDRAWAL_BUGS } from './withdrawal-bugs.ts'

export const ALL_BUGS: readonly KnownBug[] = [
  ...TIP_BUGS,
  ...PAYOUT_BUGS,
  ...WITHDRAWAL_BUGS,
  ...RECEIVING_BUGS,
  ...DROP_BUGS,
  ...POOL_BUGS,
  ...VOUCHER_BUGS,
  ...SERVICE_BUGS,
  ...NETWORK_BUGS,
  ...FAULT_BUGS,
]

/** The bugs that the simulation must notice: all but the gaps. */
export const WATCHED_BUGS = ALL_BUGS.filter(({ id }) => !GAPS.has(id))

/**
 * The bugs of these names, also gaps; or the K-th of N parts, for `K/N`, of those that must be noticed; all of these for
 * neither. Throws for what is neither.
 */
export function chooseBugs(
  wanted: readonly string[],
  bugs: readonly KnownBug[] = ALL_BUGS,
  gaps: ReadonlyMap<string, string> = GAPS,
): readonly KnownBug[] {
  const watched = bugs.filter(({ id }) => !gaps.has(id))
  if (wanted.length === 0) return watched
  const [, part, parts] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(wanted.join(' ')) ?? []
  if (part !== undefined && Number(part) <= Number(parts)) {
    return watched.filter((_, n) => n % Number(parts) === Number(part) - 1)
  }
  const unknown = wanted.filter((id) => !bugs.some((bug) => bug.id === id))
  if (unknown.length > 0)
    throw new Error(`No known bug is named ${unknown.join(', ')}, and it is no part such as 3/10.`)
  return bugs.filter(({ id }) => wanted.includes(id))
}

/** What is wrong with the list as it is written: a name twice, no kind of fault, places that the code has not, or not once. */
export function faultsOfBugs(root: string, bugs: readonly KnownBug[] = [...ALL_BUGS, ...NEIGHBOUR_BUGS]): string[] {
  const twice = bugs.filter(({ id }, n) => bugs.findIndex((bug) => bug.id === id) !== n)
  return [
    ...twice.map(({ id }) => `Two bugs are named ${id}.`),
    ...[...GAPS.keys()]
      .filter((id) => !ALL_BUGS.some((bug) => bug.id === id))
      .map((id) => `No bug is named ${id}, of the gaps.`),
    ...bugs.flatMap(({ id, faults = [] }) =>
      faults
        .filter((name) => !ALL_FAULTS.some((fault) => fault.name === name))
        .map((name) => `${id}: no kind of fault is named "${name}".`),
    ),
    ...bugs.flatMap(({ id, places }) => misplaced(root, places).map((fault) => `${id}: ${fault}`)),
  ]
}
