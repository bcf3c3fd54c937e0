import type { CallBudget } from '../../src/tipping/tipping.ts'

/** The call budget of a bot that does not share its book with another. */
export const ALONE: CallBudget = {
  alone: true,
  isLive: () => true,
  ask: () => Promise.reject(new Error('one that is alone asks for nothing')),
  afterEachRound: () => undefined,
}
