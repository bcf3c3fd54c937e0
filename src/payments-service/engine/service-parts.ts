import type { Network } from '../../lib/lightning/bolt11.ts'
import type { PriceSource } from '../../lib/prices/price-source.ts'
import type { InvoiceLookUps } from './invoices/invoice-look-ups.ts'
import type { WrongCodes } from './limits/wrong-codes.ts'
import type { NameDirectory } from './names/gamertags.ts'
import type { NodeParts } from './node/node-parts.ts'
import type { CallbackWays } from './outbox/callback-ways.ts'
import type { Sender } from './sending/sender.ts'
import type { Zaps } from './zaps/zaps.ts'

/** The service's dependencies, which every operation, public route and worker gets. */
export interface ServiceParts extends NodeParts {
  /** The rules for callbacks' destinations. */
  readonly callbacks: Pick<CallbackWays, 'mayReachLoopback'>
  /** Gamertags and Lightning Address identifiers. */
  readonly names: NameDirectory
  readonly invoices: InvoiceLookUps
  /** The function that returns the network of the book's sats; see `createNetworkOfBook`. */
  readonly networkOfBook: () => Promise<Network | undefined>
  /** The sender of everything that leaves through the node. */
  readonly sender: Sender
  /** Bitcoin's price in other currencies, for display. */
  readonly prices: PriceSource
  readonly wrongCodes: WrongCodes
  /** Zaps, and their receipts. */
  readonly zaps: Zaps
}
