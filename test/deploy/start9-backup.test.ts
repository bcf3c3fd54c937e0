import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'
import { smallBooks } from '../assembly/small-books.ts'
import { read, root } from './files.ts'

/** Returns the shell commands of the backup on StartOS, changed to use another data folder. */
function commandsFor(data: string) {
  const source = read('deploy/start9/startos/backups.ts')
  const partOf = (name: string) => new RegExp(`const ${name} = [\`']([^\`']*)[\`']`).exec(source)?.[1] ?? ''
  const fill = (name: string): string =>
    partOf(name).replace(/\$\{(\w+)\}/g, (_, inner: string) => (inner === 'DATA' ? data : fill(inner)))
  return { copy: fill('COPY_BOOKS'), restore: fill('RESTORE_BOOKS') }
}

async function run(data: string, commands: string): Promise<string> {
  const env = {
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
    DATA_FOLDER: data,
    SETTINGS_FILE: join(data, 'settings.env'),
  }
  return (await promisify(execFile)('sh', ['-ec', commands], { cwd: root, env })).stdout
}

it('a restore on StartOS brings back books and secrets and pauses outgoing payments', async () => {
  const { folder: data } = await smallBooks()
  const { copy, restore } = commandsFor(data)
  writeFileSync(join(data, 'settings.env'), 'PHOENIXD_PASSWORD_FILE=phoenixd-password\n')
  writeFileSync(join(data, 'phoenixd-password'), 'secret')
  await run(data, copy)
  // StartOS stores this folder and brings it to the new machine.
  for (const name of readdirSync(data)) if (name !== 'backup') rmSync(join(data, name), { recursive: true })
  await run(data, restore)
  expect(readFileSync(join(data, 'phoenixd-password'), 'utf8')).toBe('secret')
  expect(existsSync(join(data, 'backup'))).toBe(false)
  const tipping = await openTippingDatabase(`file:${join(data, 'tipping.sqlite')}`)
  const [pauses, account] = [
    await tipping.write.outgoingPause.count({ where: { until: null } }),
    await tipping.write.account.findFirst({ where: { kind: 'member' } }),
  ]
  await tipping.close()
  expect(account?.balance).toBe(5_000n)
  expect(pauses).toBeGreaterThan(0)
})

it('a StartOS backup made before set-up is empty, and restoring it does not fail', async () => {
  const { folder: data } = await smallBooks()
  const { copy, restore } = commandsFor(data)
  mkdirSync(join(data, 'backup'))
  writeFileSync(join(data, 'backup/old'), 'of an earlier backup')
  await run(data, copy)
  expect(readdirSync(join(data, 'backup'))).toEqual([])
  await run(data, restore)
})
