import type { Guard } from './guard.ts'

/** What stands between a disk that fails and the money. */
export const DISK_GUARDS: readonly Guard[] = [
  {
    fault: 'failed COMMIT',
    holds: 'the process ends before anybody hears of it, since the next start may find the change kept',
    places: [
      {
        file: 'src/lib/database/engine/watch-commits.ts',
        text: 'isCommit(query) ? execute(query).catch(failed) : execute(query)',
        without: 'execute(query)',
      },
    ],
    test: 'test/lib/database/watch-commits.test.ts',
    named: 'ends the process before anybody hears of it',
  },
  {
    fault: 'failed COMMIT',
    holds: 'nothing starts on what a power cut could still take away',
    places: [{ file: 'src/lib/database/sqlite/engine.ts', text: '    await makeDurable(session)\n', without: '' }],
    test: 'test/reliability/failing-commits.test.ts',
    named: 'of the service ends it without an answer',
  },
  {
    fault: 'two processes, one folder',
    holds: 'the kernel lets one process alone work on the data',
    places: [{ file: 'src/lib/folder-lock.ts', text: "'BEGIN EXCLUSIVE'", without: "'BEGIN'" }],
    test: 'test/reliability/folder-lock.test.ts',
    named: 'of forty processes that start at once',
  },
  {
    fault: 'full disk at a start',
    holds: 'a start that waits for the disk says so and goes on, instead of ending without a word',
    places: [
      {
        file: 'src/cli/run.ts',
        text: 'const alive = setInterval(() => undefined, 3_600_000)',
        without: 'const alive = undefined',
      },
    ],
    test: 'test/cli/run.test.ts',
    named: 'keeps its process alive',
  },
  {
    fault: '26',
    holds: 'what cannot be written down is looked at with growing pauses',
    places: [
      {
        file: 'src/tipping/machines/polling/poller.ts',
        text: '    if (restsMs > 0) return this.#worker.wakeIn(restsMs)\n',
        without: '',
      },
    ],
    test: 'test/reliability/bot-on-a-sick-disk.test.ts',
    named: 'fault 26, a deposit is looked at with growing pauses',
  },
  {
    fault: 'a disk that fails for long',
    holds: 'the service looks up payments ever more seldom while it cannot write',
    places: [
      {
        file: 'src/payments-service/machines/sending/resolver.ts',
        text: 'written.includes(false) ? this.#failures + 1 : 0',
        without: 'written.includes(false) ? this.#failures : 0',
      },
    ],
    test: 'test/reliability/service-on-a-sick-disk.test.ts',
    named: 'no background work of the service spins',
  },
  {
    fault: 'a disk that fails for long',
    holds: 'the service looks after invoices ever more seldom while it cannot write',
    places: [
      {
        file: 'src/payments-service/receiving/invoice-sweeper.ts',
        text: 'return failures === 0 ? due : Math.max(due, pauseAfterFailures(failures))',
        without: 'return failures === 0 ? due : Math.max(due, pauseAfterFailures(0))',
      },
    ],
    test: 'test/reliability/service-on-a-sick-disk.test.ts',
    named: 'no background work of the service spins',
  },
]
