import { IMPOSSIBLE, VersionGraph, VersionInfo } from '@start9labs/start-sdk'

// Satchel migrates its own books at each start, so no version needs a migration here.
const current = VersionInfo.of({
  version: '0.1.0:0',
  releaseNotes: { en_US: 'The first release.' },
  migrations: { up: async () => undefined, down: IMPOSSIBLE },
})

export const versionGraph = VersionGraph.of({ current, other: [] })
