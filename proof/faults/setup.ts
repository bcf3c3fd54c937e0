import type { DrawnFault, WorldSetup } from './drawn-fault.ts'

/** Returns how a world with these faults begins. */
export function setupOf(faults: readonly DrawnFault[]): WorldSetup {
  return Object.assign({ oldBook: false, prices: false }, ...faults.map(({ setup }) => setup))
}
