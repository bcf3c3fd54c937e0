import type { LightningBackend } from '../../backends/backend.ts'
import type { CoreParts } from '../../core/core-parts.ts'
import type { NodeWatch } from './node-watch.ts'

/** The core, and our Lightning node. */
export interface NodeParts extends CoreParts {
  readonly backend: LightningBackend
  /** The watch on the node's state and balances. */
  readonly nodeWatch: NodeWatch
}
