import type { Tipping } from '../../src/tipping/tipping.ts'

const notFaked = (): Promise<never> => Promise.reject(new Error('a fake makes no rules and schedules, and has no end'))

/** The schedules of a server without any. */
export const NO_SCHEDULES: Tipping['schedules'] = {
  create: notFaked,
  list: () => Promise.resolve([]),
  view: notFaked,
  stop: notFaked,
  runDue: () => Promise.resolve(),
}

/** The splits of a server without any. */
export const NO_SPLITS: Tipping['splits'] = {
  create: notFaked,
  edit: notFaked,
  delete: notFaked,
  list: () => Promise.resolve([]),
  pay: notFaked,
}

/** The API keys of a server without any. */
export const NO_API_KEYS: Tipping['apiKeys'] = {
  create: notFaked,
  list: () => Promise.resolve([]),
  revoke: notFaked,
  find: () => Promise.resolve(undefined),
  reward: notFaked,
  rewardOf: notFaked,
  isLinked: () => Promise.resolve(false),
}

/** The events of a book in which nothing happens. */
export const NO_EVENTS: Tipping['serverEvents'] = {
  latest: () => Promise.resolve(0),
  after: (cursor) => Promise.resolve({ events: [], cursor }),
  deliver: () => Promise.resolve(),
}

/** The rules of a server without any. */
export const NO_RULES: Tipping['rules'] = {
  create: notFaked,
  list: () => Promise.resolve([]),
  start: notFaked,
  stop: notFaked,
  watches: () => false,
  heard: () => Promise.resolve([]),
}

/** The wind-down of a bot that is not to end. */
export const NO_WIND_DOWN: Tipping['windDown'] = {
  start: notFaked,
  stop: notFaked,
  status: () => Promise.resolve(undefined),
  plan: notFaked,
  claims: notFaked,
  adopt: notFaked,
  notice: notFaked,
}
