import type { Faults } from './faults.ts'

/** The owners of Lightning Addresses, as members were shown them. */
export class Addresses {
  readonly #owners = new Map<string, string>()
  readonly #faults: Faults

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** Notes that a member was shown an address as their own. */
  shown(address: string, member: string): void {
    const owner = this.#owners.get(address) ?? member
    this.#owners.set(address, owner)
    this.#faults.expect(
      owner === member,
      () => `${member} is shown ${address} as their own, and it is that of ${owner}`,
    )
  }
}
