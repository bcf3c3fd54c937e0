import type { PublishEvents, RelayAnswer } from '../../src/lib/nostr/publish-event.ts'
import type { ZapReceipt } from '../judge/zaps.ts'
import type { Chance } from './chance.ts'
import { type Life, silence } from './crashing-database.ts'
import type { Network } from './network.ts'

/** The relay that receives zaps' receipts. */
export const RELAY_URL = 'ws://127.0.0.1:7777'

export interface RelayParts {
  readonly network: Network
  readonly chance: Chance
  /** Called with each event that the relay accepts, unchanged. */
  readonly publishes: (receipt: ZapReceipt) => void
}

/**
 * Returns a process's connection to the only Nostr relay of this world, which sometimes does not answer, even after it
 * has accepted an event.
 */
export function relayFor({ network, chance, publishes }: RelayParts, life: Life): PublishEvents {
  return async (relay, events) => {
    if (life.over) return silence()
    const answers = new Map<string, RelayAnswer>()
    for (const event of events) {
      const fate = chance.happens(network.trouble * 3) ? chance.one(['lost', 'taken'] as const) : 'well'
      if (relay === RELAY_URL && fate !== 'lost') publishes(event)
      const silent = { said: 'silent', reason: 'it said nothing' } as const
      answers.set(event.id, fate === 'well' && relay === RELAY_URL ? { said: 'accepted' } : silent)
    }
    return answers
  }
}
