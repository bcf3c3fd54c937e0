import type { Faults } from './faults.ts'

/** Owners of Lightning Addresses, as members were shown. */
export class Addresses {
  readonly #owners = new Map<string, string>()
  readonly #faults: Faults

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** A member is shown an address as their own. */
  shown(address: string, member: string): void {
    const owner = this.#owners.get(address) ?? member
    this.#owners.set(address, owner)
    this.#faults.expect(
      owner === member,
      () => `${member} is shown ${address} as their own, and it is that of ${owner}`,
    )
  }
}
