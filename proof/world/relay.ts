import type { PublishEvents, RelayAnswer } from '../../src/lib/nostr/publish-event.ts'
import type { ZapReceipt } from '../judge/zaps.ts'
import type { Chance } from './chance.ts'
import { type Life, silence } from './crashing-database.ts'
import type { Network } from './network.ts'

/** Where the receipts of zaps go to. */
export const RELAY_URL = 'ws://127.0.0.1:7777'

export interface RelayParts {
  readonly network: Network
  readonly chance: Chance
  /** Hears of each event that the relay takes, as it came. */
  readonly publishes: (receipt: ZapReceipt) => void
}

/** How a process reaches the one Nostr relay of this world, which says nothing now and then, also after it has taken an event. */
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
