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

/** The parts that the whole emulator shares. */
export interface Core {
  readonly world: DiscordWorld
  readonly clock: Clock
  readonly entropy: Entropy
  readonly address: Address
  readonly seen: Seen
  readonly pending: PendingInteractions
  /** The endpoint to which interactions are sent, instead of through the gateway, if its address is set. */
  readonly endpoint: InteractionsEndpoint
  /** What people have granted to the application with OAuth2. */
  readonly oauth: OAuth
  /** Sends the bot an event through the gateway. */
  readonly tellBot: (event: GatewayEvent) => void
  /** Sends an event to the observers. The event is created only if there are observers. */
  readonly tellObservers: (event: () => EmulatorEvent) => void
}
