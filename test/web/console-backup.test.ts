import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { createBackupDownloads } from '../../src/assembly/backup/download-backup.ts'
import { restore } from '../../src/assembly/backup/restore.ts'
import { parseConfig } from '../../src/config/config.ts'
import { untar } from '../../src/lib/tar.ts'
import { NAMES, type SmallBooks, smallBooks } from '../assembly/small-books.ts'
import { aliceHasSome } from '../tipping/funded-world.ts'
import type { TippingWorld } from '../tipping/world.ts'
import { READ_PASSWORD, serveConsole, type Visitor } from './console-world.ts'

let world: TippingWorld
let books: SmallBooks

beforeEach(async () => {
  world = await aliceHasSome()
  books = await smallBooks()
})
async function signedIn(password?: string): Promise<Visitor> {
  const visitor = await serveConsole(world, { backUp: createBackupDownloads(books.config, world.clock) })
  await visitor.signIn(password)
  return visitor
}

async function download(visitor: Visitor): Promise<Response> {
  const form = await visitor.token('backup', '/console/backup')
  return await visitor.send('/console/backup', { form })
}

const leftovers = () => readdirSync(books.folder).filter((name) => name.startsWith('backup-to-download'))

it('a backup from the console can be restored, is announced, and leaves no files', async () => {
  const visitor = await signedIn()
  expect((await visitor.look('/console/backup')).text).toContain('Anyone who can read it can spend your sats')
  const answer = await download(visitor)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toBe(
    'attachment; filename="satchel-backup-2030-01-01T00-00-00Z.tar"',
  )
  const folder = join(books.above, 'unpacked')
  mkdirSync(folder)
  await untar(answer.body as AsyncIterable<Uint8Array>, {
    takes: () => true,
    write: (name, piece) => writeFileSync(join(folder, name), piece, { flag: 'a' }),
  })
  expect(readdirSync(folder).sort()).toEqual([...NAMES, 'manifest.json'].sort())
  const empty = join(books.above, 'empty')
  const into = parseConfig({ DATA_FOLDER: empty })
  mkdirSync(empty)
  await restore(into, folder, { force: false, notPaused: false, clock: world.clock })
  expect(readFileSync(join(empty, 'own-project.json'))).toEqual(readFileSync(join(books.folder, 'own-project.json')))
  await expect.poll(leftovers).toEqual([])
  expect((await world.tipping.administration.untoldAlerts(9)).map(({ text }) => text)).toEqual([
    'console:password downloaded a backup in the console',
  ])
})

it('the download of a backup ends when the client disconnects, and another can begin', async () => {
  const visitor = await signedIn()
  await (await download(visitor)).body?.cancel()
  await expect.poll(leftovers).toEqual([])
  const next = await download(visitor)
  expect(next.status).toBe(200)
  // The server ends when nobody reads from it any more.
  await next.body?.cancel()
})

it('a backup is discarded if the client disconnects while it is being made', async () => {
  const making = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const backUp = async () => {
    begun.resolve()
    await making.promise
    return { fileName: 'a.tar', pieces: (async function* () {})(), end: () => ended.resolve() }
  }
  const visitor = await serveConsole(world, { backUp })
  await visitor.signIn()
  const form = await visitor.token('backup', '/console/backup')
  const reader = new AbortController()
  const answer = visitor.send('/console/backup', { form }, {}, reader.signal)
  await begun.promise
  reader.abort()
  await expect(answer).rejects.toThrow()
  // By then the server has seen that the reader went away.
  for (let i = 0; i < 2; i += 1) await visitor.other().look()
  making.resolve()
  await ended.promise
})

it('a backup needs a sign-in of the last five minutes, and is refused to readers', async () => {
  const visitor = await signedIn()
  await world.clock.advance(5 * 60_000)
  const asked = await download(visitor)
  expect([asked.status, await asked.text()]).toEqual([403, expect.stringContaining('Download a backup')])
  const reader = await signedIn(READ_PASSWORD)
  expect((await reader.look('/console/backup')).text).not.toContain('<button class="primary">')
  expect((await reader.post('/console/backup', { form: 'x' })).status).toBe(403)
  expect(existsSync(join(books.folder, 'backup-to-download'))).toBe(false)
})

it('the console explains why a backup cannot be made', async () => {
  writeFileSync(join(books.folder, 'payments.sqlite'), 'no database at all')
  const visitor = await signedIn()
  const answer = await download(visitor)
  expect(answer.status).toBe(422)
  expect(await answer.text()).toMatch(/role="alert">Nothing was done\. [\s\S]*payments\.sqlite/)
  expect(leftovers()).toEqual([])
})

it('the backup page says where to make a backup if the process cannot make one', async () => {
  const visitor = await serveConsole(world)
  await visitor.signIn()
  expect((await visitor.look('/console/backup')).text).toContain('npm run backup -- FOLDER')
})

it('a button redelivers dead-lettered callbacks, and operators are notified', async () => {
  const node = { ready: true, reason: undefined, spendable: undefined, receivable: undefined }
  const callbacks = { waiting: 0, deadLettered: 2, oldestMs: 0 }
  let times = 0
  const redeliver = async () => {
    times += 1
  }
  const service = { node, callbacks, unknown: { count: 0, oldestMs: 0 } }
  const visitor = await serveConsole(world, { service, redeliver })
  await visitor.signIn()
  expect((await visitor.look()).text).toMatch(/2 callbacks were given up\.[\s\S]*Deliver them again/)
  expect(await visitor.does('redeliver')).toMatchObject({ status: 303, to: '/console?said=redelivered' })
  expect(times).toBe(1)
  expect((await world.tipping.administration.untoldAlerts(9)).map(({ text }) => text)).toEqual([
    'console:password had the callbacks that were given up delivered again',
  ])
})

it('the console says where to redeliver callbacks if the service is another program', async () => {
  const visitor = await serveConsole(world)
  await visitor.signIn()
  const form = await visitor.token('pause')
  const { status, text } = await visitor.post('/console/redeliver', { form })
  expect(status).toBe(422)
  expect(text).toContain('<code>satchel admin</code>')
})
