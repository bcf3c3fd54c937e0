import type { Faults } from './faults.ts'
import type { Links } from './links.ts'
import type { Span } from './moments.ts'

/** The part of a member's copy of their data that shows where their sats go. */
export interface ExportedData {
  readonly settings: readonly { readonly forwardTo: string | null }[]
  /** The member's links, including earlier ones. */
  readonly links: readonly { readonly lightningId: string }[]
}

/** Checks the bot's data about a member: nothing remains from before a deletion. */
export class Privacy {
  readonly #faults: Faults
  readonly #links: Links
  readonly #forwards: Links

  constructor(faults: Faults, links: Links, forwards: Links) {
    this.#faults = faults
    this.#links = links
    this.#forwards = forwards
  }

  /** Notes that a member is shown a copy of their data. */
  exported(member: string, { settings, links }: ExportedData, span: Span): void {
    for (const { forwardTo } of settings)
      this.#faults.expect(
        forwardTo === null || this.#forwards.usersIn(member, span).has(forwardTo),
        () => `the data of ${member} have ${forwardTo} as where their tips go on to, and they said no such thing`,
      )
    for (const { lightningId } of links)
      this.#faults.expect(
        this.#links.mayRemember(member, lightningId),
        () => `the data of ${member} have the wallet ${lightningId}, which was deleted, or never theirs`,
      )
  }
}
