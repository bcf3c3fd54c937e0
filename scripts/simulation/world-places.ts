import type { RowSource } from './judge/row-source.ts'
import type { SickDisk } from './mortal-database.ts'

/** Where the books of one world are. */
export interface Places {
  /** As any process opens them. */
  readonly botUrl: string
  readonly serviceUrl: string
  /** As the two sides open them, whose COMMITs may fail. */
  readonly ofSides: { readonly bot: string; readonly service: string }
  readonly rows: { readonly bot: RowSource; readonly service: RowSource }
  /** The COMMITs of a side fail as this says, where its connections do not say so themselves. */
  fail(side: 'bot' | 'service', disk: SickDisk): void
  /** Whether a process that opens a book knows that it is the only one. On a server it does not: what another one had, it has when a lease has expired. */
  readonly alone: boolean
  /** Where a book of an older version can be put; undefined where there are none. */
  readonly folder: string | undefined
  close(): void
}
