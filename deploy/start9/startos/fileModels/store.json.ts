import { FileHelper, z } from '@start9labs/start-sdk'
import { sdk } from '../sdk'

export const NODES = ['none', 'lnd', 'phoenixd'] as const

/** What the owner chose here; all else is in Satchel's own settings, in its data. */
export const store = FileHelper.json(
  { base: sdk.volumes.startos, subpath: './store.json' },
  z.object({ node: z.enum(NODES).catch('none'), setupCode: z.string().catch('') }),
)
