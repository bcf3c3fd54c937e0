import type { RowSource } from '../judge/row-source.ts'
import type { SickDisk } from './crashing-database.ts'

/** The places of one world's books. */
export interface Places {
  /** The address with which any process opens the bot's book; `serviceUrl` is that of the service's. */
  readonly botUrl: string
  readonly serviceUrl: string
  /**
   * The addresses with which the simulated processes open their books, and at which COMMITs may fail. The second bot
   * and the second service have addresses only if they can work beside the first.
   */
  readonly of: Readonly<Record<'bot' | 'service', string>> & {
    readonly secondBot: string | undefined
    readonly secondService: string | undefined
  }
  readonly rows: { readonly bot: RowSource; readonly service: RowSource }
  /** Makes COMMITs of connections to this address fail as `disk` decides, unless the connections themselves do so. */
  fail(url: string, disk: SickDisk): void
  /** Crashes the server; the returned function restarts it. Undefined if the books are files. */
  readonly crash: (() => () => void) | undefined
  /**
   * Whether a process that opens a book knows that no other process uses the book. On a server it does not: there, it
   * takes over another's work when a lease has expired.
   */
  readonly alone: boolean
  /** The folder for a book of an older version; undefined if the books are on a server. */
  readonly folder: string | undefined
  close(): void
}
