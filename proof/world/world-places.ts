import type { RowSource } from '../judge/row-source.ts'
import type { SickDisk } from './crashing-database.ts'

/** Where the books of one world are. */
export interface Places {
  /** As any process opens them. */
  readonly botUrl: string
  readonly serviceUrl: string
  /** As the processes open them, whose COMMITs may fail. Where a second one of each can work beside the first, it has an address, too. */
  readonly of: Readonly<Record<'bot' | 'service', string>> & {
    readonly secondBot: string | undefined
    readonly secondService: string | undefined
  }
  readonly rows: { readonly bot: RowSource; readonly service: RowSource }
  /** The COMMITs of connections to this address fail as this says, where they do not say so themselves. */
  fail(url: string, disk: SickDisk): void
  /** The server crashes; what is returned brings it back. Undefined where the books are files. */
  readonly crash: (() => () => void) | undefined
  /** Whether a process that opens a book knows that it is the only one. On a server it does not: what another one had, it has when a lease has expired. */
  readonly alone: boolean
  /** Where a book of an older version can be put; undefined where there are none. */
  readonly folder: string | undefined
  close(): void
}
