import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refuseInPlaceOfBot, refusePlaygroundFolder, takePlaygroundFolder } from '../../src/cli/open-playground.ts'
import { parseConfig } from '../../src/config/config.ts'
import { lockBook, lockFolder } from '../../src/lib/folder-lock.ts'
import { smallBooks } from '../assembly/small-books.ts'
import { ManualClock } from '../support/manual-clock.ts'

const clock = new ManualClock()
let data: string
let folder: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'playground-'))
  folder = join(data, 'playground')
})
afterEach(() => rmSync(data, { recursive: true }))

const take = (fresh = true) => takePlaygroundFolder(data, { fresh, clock })
/** Returns a hash of the contents of each file below a folder, by path, except for locks, which are empty. */
function contents(of: string): Record<string, string> {
  const files = readdirSync(of, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const all = files.map((entry) => join(entry.parentPath, entry.name)).filter((file) => !/-lock\.sqlite/.test(file))
  const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
  return Object.fromEntries(all.toSorted().map((file) => [file, hash(file)]))
}
const putBooks = async (where: string, playground: boolean) => {
  cpSync((await smallBooks()).folder, where, { recursive: true })
  if (playground) writeFileSync(join(where, 'playground.sqlite'), 'a world')
}

describe('the playground', () => {
  it.each([true, false])('uses its own folder and leaves a bot’s data unchanged (fresh: %s)', async (fresh) => {
    await putBooks(data, false)
    const before = contents(data)
    const { unlock } = take(fresh)
    unlock()
    expect(contents(data)).toEqual(before)
  })

  it('moves all of its data aside when it starts over', async () => {
    await putBooks(folder, true)
    mkdirSync(join(folder, 'before-another-time'))
    const before = Object.values(contents(folder)).toSorted()
    const { unlock } = take()
    unlock()
    const aside = join(folder, 'before-2030-01-01T00-00-00-000Z')
    expect(readdirSync(aside).toSorted()).toEqual([
      'lightning-sandbox.sqlite',
      'own-project.json',
      'payments.sqlite',
      'playground.sqlite',
      'tipping.sqlite',
    ])
    expect(Object.values(contents(folder)).toSorted()).toEqual(before)
    expect(
      readdirSync(folder)
        .filter((name) => !/-lock\.sqlite/.test(name))
        .toSorted(),
    ).toEqual(['before-2030-01-01T00-00-00-000Z', 'before-another-time'])
  })

  it('keeps its data unless --fresh is given', async () => {
    await putBooks(folder, true)
    const before = contents(folder)
    take(false).unlock()
    expect(contents(folder)).toEqual(before)
  })

  it.each([true, false])('refuses a folder with books but without a playground’s world (fresh: %s)', async (fresh) => {
    await putBooks(folder, false)
    const before = contents(data)
    expect(() => take(fresh)).toThrow(
      `${folder} holds books (tipping.sqlite, payments.sqlite) but not playground.sqlite, the file of a playground's world. These books belong to a bot, or come from a backup, which never contains that file. Nothing was changed. Set DATA_FOLDER to another folder.`,
    )
    expect(contents(data)).toEqual(before)
  })

  it.each([true, false])('refuses a folder that holds a book with real sats (fresh: %s)', async (fresh) => {
    const { folder: made, spoil } = await smallBooks()
    spoil('payments.sqlite', `INSERT INTO "BookNode" VALUES (1, 'lnd', '02ab', 'bitcoin', '2030-01-01T00:00:00.000Z')`)
    cpSync(made, folder, { recursive: true })
    writeFileSync(join(folder, 'playground.sqlite'), 'a world')
    const before = contents(data)
    expect(() => take(fresh)).toThrow(/playground holds a book with real sats: its node is lnd\. Nothing was changed\./)
    expect(contents(data)).toEqual(before)
  })

  it.each(['bot', 'service', 'playground', 'sandbox'])(
    'refuses to start over while a %s uses the same folder',
    async (name) => {
      await putBooks(folder, true)
      const before = contents(data)
      const unlock = lockFolder(folder, name)
      expect(() => take()).toThrow(/in use by another process/)
      unlock()
      expect(contents(data)).toEqual(before)
      take().unlock()
    },
  )

  it('refuses to start over while another process uses one of the playground’s books', async () => {
    await putBooks(folder, true)
    const unlock = lockBook(`file:${folder}/tipping.sqlite`)
    expect(() => take()).toThrow(/tipping\.sqlite is in use by another process, perhaps with another data folder/)
    unlock()
    take().unlock()
  })
})

describe('the command npm start without a token', () => {
  const refuse = (environment: Record<string, string> = {}) =>
    refuseInPlaceOfBot(parseConfig({ DATA_FOLDER: data, ...environment }))
  const words = (why: string) =>
    `DISCORD_TOKEN is not set, so no bot can start. But ${why}, so you seem to want a bot here. Set the token in .env (npm run setup asks for it). To open the playground, which has a folder of its own, use npm run playground. To start the payments service alone, use npm run service.`

  it('does not refuse to open the playground if the data folder shows no sign of a bot', async () => {
    refuse()
    // An earlier version kept its books in the data folder.
    await putBooks(data, true)
    refuse()
  })

  it.each(['tipping.sqlite', 'payments.sqlite'])(
    'refuses to open the playground if the data folder holds %s',
    async (name) => {
      await putBooks(data, false)
      for (const other of ['tipping.sqlite', 'payments.sqlite']) if (other !== name) rmSync(join(data, other))
      expect(() => refuse()).toThrow(words(`${data}/${name} is a book`))
      expect(existsSync(folder)).toBe(false)
    },
  )

  it.each([
    [
      'a node',
      { LIGHTNING_BACKEND: 'phoenixd', PHOENIXD_URL: 'http://127.0.0.1:1', PHOENIXD_PASSWORD: 'x' },
      'LIGHTNING_BACKEND names a node',
    ],
    [
      'a provider',
      { PAYMENTS_BASE_URL: 'http://127.0.0.1:1', PAYMENTS_API_KEY: 'x' },
      'PAYMENTS_BASE_URL names a provider',
    ],
    ['CUSTODY=none', { CUSTODY: 'none' }, 'CUSTODY is none'],
    ['a database server', { TIPPING_DATABASE_URL: 'postgresql://x@127.0.0.1/x' }, 'a book is on a server'],
  ])('refuses to open the playground if %s is configured', (_, environment, why) => {
    expect(() => refuse(environment as Record<string, string>)).toThrow(words(why))
  })
})

it('playgrounds with and without custody use different folders', () => {
  const { folder: without, unlock } = takePlaygroundFolder(data, { fresh: false, clock, custody: 'none' })
  expect(without).not.toBe(folder)
  take(false).unlock()
  unlock()
})

it.each(['playground', 'playground-no-custody'])(
  'a bot refuses the folder %s once it holds a playground’s world',
  (name) => {
    const playground = join(data, name)
    mkdirSync(playground, { recursive: true })
    refusePlaygroundFolder({ dataFolder: playground })
    writeFileSync(join(playground, 'playground.sqlite'), '')
    expect(() => refusePlaygroundFolder({ dataFolder: `${playground}/` })).toThrow(/is the playground's own folder/)
    refusePlaygroundFolder({ dataFolder: data })
  },
)
