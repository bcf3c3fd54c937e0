import type { Tipping } from '../../src/tipping/tipping.ts'

const notFaked = (): Promise<never> => Promise.reject(new Error('a fake makes no rules and schedules'))

/** The schedules of a server that has none. */
export const NO_SCHEDULES: Tipping['schedules'] = {
  create: notFaked,
  list: () => Promise.resolve([]),
  view: notFaked,
  stop: notFaked,
  runDue: () => Promise.resolve(),
}

/** The rules of a server that has none. */
export const NO_RULES: Tipping['rules'] = {
  create: notFaked,
  list: () => Promise.resolve([]),
  start: notFaked,
  stop: notFaked,
  watches: () => false,
  heard: () => Promise.resolve([]),
}
