import type { Clock } from '../../../lib/clock.ts'
import type { Entropy } from '../../../lib/entropy.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { LightningBackend } from '../../backends/backend.ts'
import { createCoreLightning } from '../../backends/core-lightning/core-lightning.ts'
import { createLnd } from '../../backends/lnd/lnd.ts'
import { createPhoenixd } from '../../backends/phoenixd/phoenixd.ts'

/** How a real node is reached. Secrets stand here in the clear: never log it. */
export type NodeSettings =
  | {
      readonly kind: 'lnd'
      readonly url: string
      /** Hex. */
      readonly macaroon: string
      /** PEM. */
      readonly certificate: string | undefined
    }
  | {
      readonly kind: 'core-lightning'
      readonly url: string
      readonly rune: string
      readonly certificate: string | undefined
    }
  | { readonly kind: 'phoenixd'; readonly url: string; readonly password: string }
  | { readonly kind: 'nwc'; readonly uri: string; readonly encryption?: 'auto' | 'nip04' }

export interface NodeParts {
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
}

/**
 * Makes the backend of a real node. A node that is away is no reason to throw: the backend works once it is there.
 * Throws Problem for settings that can never work.
 */
export async function createBackend(settings: NodeSettings, parts: NodeParts): Promise<LightningBackend> {
  switch (settings.kind) {
    case 'lnd':
      return createLnd(settings, parts)
    case 'core-lightning':
      return createCoreLightning(settings, parts)
    case 'phoenixd':
      return createPhoenixd(settings, parts)
    case 'nwc': {
      // Nostr's cryptography is loaded only where it is needed.
      const { createNwc } = await import('../../backends/nwc/nwc.ts')
      return createNwc(settings, parts)
    }
  }
}
