import type { DrawnFault, WorldSetup } from './drawn-fault.ts'

/** How the world of these faults begins. */
export function setupOf(faults: readonly DrawnFault[]): WorldSetup {
  return Object.assign({ oldBook: false, prices: false }, ...faults.map(({ setup }) => setup))
}
