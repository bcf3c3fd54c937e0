import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BOT_GUARDS } from './bot-guards.ts'
import type { Guard, Place } from './guard.ts'
import { PAYOUT_GUARDS } from './payout-guards.ts'
import { SERVICE_GUARDS } from './service-guards.ts'

/** The numbered list of docs/RELIABILITY.md ends here. */
const LAST_FAULT = 33

export const ALL_GUARDS: readonly Guard[] = [...SERVICE_GUARDS, ...PAYOUT_GUARDS, ...BOT_GUARDS]

/** What is wrong with the list as it is written: faults without a guard, guards that are not where it says. */
export function faultsOfList(root: string, guards: readonly Guard[] = ALL_GUARDS): string[] {
  const numbers = Array.from({ length: LAST_FAULT }, (_, i) => String(i + 1))
  const bare = numbers.filter((number) => !guards.some(({ fault }) => fault === number))
  return [
    ...bare.map((number) => `Fault ${number} has no guard.`),
    ...guards.flatMap(({ places }) => places.flatMap((place) => misplaced(root, place))),
  ]
}

function misplaced(root: string, { file, text }: Place): string[] {
  const times = readFileSync(join(root, file), 'utf8').split(text).length - 1
  return times === 1 ? [] : [`${file} has this ${times} times instead of once: ${text}`]
}
