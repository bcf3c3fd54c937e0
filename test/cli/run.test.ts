import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

function runs(start: string): { status: number | null; stdout: string; stderr: string } {
  const script = `
    import { run } from '${root}/src/cli/run.ts'
    import { pause, systemClock } from '${root}/src/lib/clock.ts'
    import { LedgerUnavailable } from '${root}/src/ledger/ledger.ts'
    await run(async () => {
      ${start}
      console.log('up')
      return { close: async () => undefined }
    })`
  return spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', script], { encoding: 'utf8' })
}

it('a process stays alive while its start waits for a timer', () => {
  expect(runs('await pause(systemClock, 50)')).toMatchObject({ status: 0, stdout: 'up\n', stderr: '' })
})

it('an unwritable book is reported with the remedy, and a bug with its stack', () => {
  const cause = `{ meta: { driverAdapterError: { cause: { originalCode: 'SQLITE_FULL' } } } }`
  expect(runs(`throw new LedgerUnavailable(${cause})`)).toMatchObject({
    status: 1,
    stderr: 'The books could not be written: the disk is full. Free some space, then start again. Nothing is lost.\n',
  })
  expect(runs(`throw new LedgerUnavailable('a bug')`).stderr).toMatch(/LedgerUnavailable.*\n\s+at /)
})
