import { type PostgresServer, startPostgres } from '../../postgres/server.ts'
import { folderForTemporaryFiles } from '../../postgres/temporary-files.ts'
import { openRoad } from './road.ts'

/**
 * A primary, a standby that has every commit before its client is answered, and an address that leads to the primary.
 */
export interface Pair {
  /** Returns the address of a database on the primary, whichever server is the primary. */
  url(database: string): string
  readonly primary: PostgresServer
  /** Crashes the primary, which recovers. */
  crash(): Promise<void>
  /**
   * Loses the primary and lets the standby take its place, as docs/SCALING.md says. Resolves to the lost server, which
   * the caller stops.
   */
  failOver(): Promise<PostgresServer>
  stop(): Promise<void>
}

const NAME = 'satchel_standby'

/** Settings by which no commit is answered before the standby of this name has it on its disk. */
const SYNCHRONOUS = [`synchronous_standby_names = 'FIRST 1 (${NAME})'`, 'synchronous_commit = on']

/**
 * Settings that would reveal an early answer: the log reaches the disk late unless somebody waits for it, and a commit
 * takes as long as on a remote disk, so that crashes often hit a commit. A disconnected standby reconnects immediately.
 */
const WIDE_WINDOWS = [
  'commit_delay = 5000',
  'commit_siblings = 0',
  'wal_writer_delay = 10s',
  'wal_writer_flush_after = 0',
  'wal_retrieve_retry_interval = 200ms',
]

export async function startPair(say: (line: string) => void = () => {}): Promise<Pair> {
  const road = await openRoad()
  const settings = [...SYNCHRONOUS, ...WIDE_WINDOWS, 'wal_keep_size = 256MB', 'jit = off']
  let primary = await startPostgres({ settings, say, below: folderForTemporaryFiles() })
  let standby = await primary.startStandby(NAME)
  const open = () => road.leadTo(Number(new URL(primary.url('postgres')).port))
  open()
  return {
    url(database) {
      const url = new URL(primary.url(database))
      url.port = String(road.port)
      return url.href
    },
    get primary() {
      return primary
    },
    async crash() {
      await primary.crash()
      await primary.start()
    },
    async failOver() {
      const lost = primary
      await lost.crash()
      road.leadTo()
      await standby.promote()
      primary = standby
      open()
      standby = await primary.startStandby(NAME)
      return lost
    },
    async stop() {
      await road.close()
      await Promise.all([primary.stop(), standby.stop()])
    },
  }
}
