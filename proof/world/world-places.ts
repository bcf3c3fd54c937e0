import type { RowSource } from '../judge/row-source.ts'
import type { SickDisk } from './crashing-database.ts'

/** Where one world's books are. */
export interface Places {
  /** The address with which any process opens them. */
  readonly botUrl: string
  readonly serviceUrl: string
  /**
   * The databases as the processes open them, whose COMMITs may fail. If a second one of each can work beside the
   * first, they also have addresses.
   */
  readonly of: Readonly<Record<'bot' | 'service', string>> & {
    readonly secondBot: string | undefined
    readonly secondService: string | undefined
  }
  readonly rows: { readonly bot: RowSource; readonly service: RowSource }
  /** Makes COMMITs of connections to this address fail in this way, if they do not report that themselves. */
  fail(url: string, disk: SickDisk): void
  /** Crashes the server; the returned function restarts it. Undefined if the books are files. */
  readonly crash: (() => () => void) | undefined
  /**
   * Whether a process that opens a book knows that it is the only one. On a server it does not: it gets another's work
   * when a lease has expired.
   */
  readonly alone: boolean
  /** The folder for a book of an older version; undefined without one. */
  readonly folder: string | undefined
  close(): void
}
