import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { Address } from '../address.ts'
import type { GatewayEvent } from '../gateway/events.ts'
import type { EmulatorEvent } from '../views.ts'
import type { DiscordWorld } from '../world/world.ts'
import type { InteractionsEndpoint } from './interactions-endpoint.ts'
import type { OAuth } from './oauth.ts'
import type { PendingInteractions } from './pending-interactions.ts'
import type { Seen } from './seen.ts'

/** Parts that the whole emulator shares. */
export interface Core {
  readonly world: DiscordWorld
  readonly clock: Clock
  readonly entropy: Entropy
  readonly address: Address
  readonly seen: Seen
  readonly pending: PendingInteractions
  /** The endpoint that interactions go to instead of the gateway, if an address is set. */
  readonly endpoint: InteractionsEndpoint
  /** People's other grants to the application. */
  readonly oauth: OAuth
  /** Sends the bot an event over the gateway. */
  readonly tellBot: (event: GatewayEvent) => void
  /** Informs the watchers; the event is made only if there are any. */
  readonly tellObservers: (event: () => EmulatorEvent) => void
}
