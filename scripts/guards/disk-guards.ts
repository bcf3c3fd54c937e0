import type { Guard } from './guard.ts'

/** What stands between a disk that fails and the money. */
export const DISK_GUARDS: readonly Guard[] = [
  {
    fault: 'failed COMMIT',
    holds: 'the process ends before anybody hears of it, since the next start may find the change kept',
    places: [
      {
        file: 'src/lib/watch-commits.ts',
        text: 'isCommit(query) ? execute(query).catch(failed) : execute(query)',
        without: 'execute(query)',
      },
    ],
    test: 'test/lib/watch-commits.test.ts',
    named: 'ends the process before anybody hears of it',
  },
]
