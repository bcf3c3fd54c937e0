import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rotateWalletKey } from '../../src/assembly/rotate-wallet-key.ts'
import { addWalletKey, dropOldWalletKeys, openWalletKeys } from '../../src/assembly/wallet-keys.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { redactText } from '../../src/lib/redaction.ts'
import { openSealed, sealText } from '../../src/lib/sealed-text.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'
import { smallBooks } from './small-books.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wallet-key-'))
  file = join(folder, 'wallet-key')
})

afterEach(() => rmSync(folder, { recursive: true }))

const seal = (about = 'one') =>
  sealText('secret', { key: openWalletKeys(file).current(), about, entropy: systemEntropy })

describe('the key that seals members’ wallets', () => {
  it('is created at the first start, is kept, and is readable by its owner alone', () => {
    const first = openWalletKeys(file).current()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(openWalletKeys(file).current()).toEqual(first)
  })

  it('never appears in a log', () => {
    openWalletKeys(file)
    const key = readFileSync(file, 'utf8').trim()
    expect(redactText(`the key is ${key}`)).not.toContain(key)
  })

  it('opens no secret that belongs to another record or was changed', () => {
    const sealed = seal()
    const keys = openWalletKeys(file).all()
    expect(openSealed(sealed, keys, 'one')).toBe('secret')
    expect(openSealed(sealed, keys, 'two')).toBeUndefined()
    expect(openSealed(`${sealed.slice(0, -2)}AA`, keys, 'one')).toBeUndefined()
    expect(openSealed('', keys, 'one')).toBeUndefined()
    expect(seal()).not.toBe(sealed)
  })

  it('is replaced by a new key, but still opens old secrets until it is removed', () => {
    const keys = openWalletKeys(file)
    const sealed = seal()
    const added = addWalletKey(file)
    expect(keys.current().id).toBe(added.id)
    expect(openSealed(sealed, keys.all(), 'one')).toBe('secret')
    dropOldWalletKeys(file)
    expect(openSealed(sealed, keys.all(), 'one')).toBeUndefined()
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('causes an error if its file is damaged or cannot be read', () => {
    writeFileSync(file, 'no key')
    expect(() => openWalletKeys(file)).toThrow('does not hold a key')
    const keys = () => openWalletKeys(join(file, 'below'))
    expect(keys).toThrow('WALLET_KEY_FILE')
    chmodSync(file, 0o600)
  })
})

describe('a rotation of the wallet key', () => {
  it('seals every readable secret with the new key', async () => {
    const { config: books, tipping } = await smallBooks()
    const database = await openTippingDatabase(tipping)
    const keys = openWalletKeys(file)
    const old = keys.current()
    const row = { client: 'c', wallet: 'w', relays: '[]', methods: '', name: '', network: null, createdAt: new Date(0) }
    const sealed = sealText('secret', { key: old, about: 'one', entropy: systemEntropy })
    await database.write.walletConnection.create({ data: { ...row, member: 'alice', id: 'one', sealed } })
    const lost = { ...row, client: 'd', member: 'bob', id: 'two', sealed: 'abc.def' }
    await database.write.walletConnection.create({ data: lost })
    const tokens = sealText('tokens', { key: old, about: 'roles', entropy: systemEntropy })
    const times = { nextAt: new Date(0), createdAt: new Date(0) }
    await database.write.roleConnection.create({ data: { member: 'carol', id: 'roles', sealed: tokens, ...times } })
    const pass = { locale: 'en', endsAt: new Date(Date.now() + 900_000) }
    await database.write.walletPass.create({ data: { ...pass, hash: 'begun', member: 'dave', sealed } })
    await database.write.walletPass.create({ data: { ...pass, hash: 'new', member: 'erin' } })
    const config = { ...books, walletKeyFile: file }
    expect(await rotateWalletKey(config)).toEqual({ wallets: 1, unreadable: 1 })
    expect((await database.read.walletPass.findMany()).map(({ hash }) => hash)).toEqual(['new'])
    const now = await database.read.walletConnection.findUniqueOrThrow({ where: { id: 'one' } })
    expect(keys.all()).toHaveLength(1)
    expect(openSealed(now.sealed, keys.all(), 'one')).toBe('secret')
    expect(openSealed(now.sealed, [old], 'one')).toBeUndefined()
    const roles = await database.read.roleConnection.findFirstOrThrow()
    expect(openSealed(roles.sealed, keys.all(), 'roles')).toBe('tokens')
    await database.close()
  })

  it('is refused and leaves the key unchanged if the key decrypts none of the secrets', async () => {
    const { config: books, tipping } = await smallBooks()
    const database = await openTippingDatabase(tipping)
    const theirs = {
      client: 'c',
      wallet: 'w',
      relays: '[]',
      methods: '',
      name: '',
      network: null,
      createdAt: new Date(0),
    }
    await database.write.walletConnection.create({ data: { ...theirs, member: 'alice', id: 'one', sealed: 'abc.def' } })
    await database.close()
    openWalletKeys(file)
    const key = readFileSync(file, 'utf8')
    await expect(rotateWalletKey({ ...books, walletKeyFile: file })).rejects.toThrow(/decrypts none of the secrets/)
    expect(readFileSync(file, 'utf8')).toBe(key)
  })

  it('changes no key and makes no book if the bot’s book is missing, empty or foreign', async () => {
    const { config, folder: data, above } = await smallBooks()
    openWalletKeys(config.walletKeyFile)
    await rotateWalletKey(config)
    const key = readFileSync(config.walletKeyFile, 'utf8')
    const other = await smallBooks()
    const note = JSON.parse(readFileSync(join(data, 'books.json'), 'utf8'))
    writeFileSync(
      join(other.folder, 'books.json'),
      JSON.stringify({ ...note, bot: { ...note.bot, first: 'another begin 2029-01-01T00:00:00.000Z' } }),
    )
    const empty = `file:${join(above, 'empty.sqlite')}`
    await (await openTippingDatabase(empty)).close()
    const strange = parseConfig({ DATA_FOLDER: join(above, 'strange'), WALLET_KEY_FILE: config.walletKeyFile })
    mkdirSync(strange.dataFolder)
    for (const [tried, why] of [
      [{ ...config, tippingDatabaseUrl: `file:${join(above, 'typo.sqlite')}` }, /is missing/],
      [strange, /There is no database at/],
      [{ ...config, tippingDatabaseUrl: empty }, /is missing/],
      [{ ...strange, tippingDatabaseUrl: empty }, /holds nothing yet/],
      [
        { ...other.config, walletKeyFile: config.walletKeyFile },
        /is not the book with which the data folder \S+ was last used/,
      ],
    ] as const) {
      await expect(rotateWalletKey(tried)).rejects.toThrow(why)
      expect(readFileSync(config.walletKeyFile, 'utf8')).toBe(key)
    }
    for (const made of [join(above, 'typo.sqlite'), join(strange.dataFolder, 'tipping.sqlite')]) {
      expect(existsSync(made)).toBe(false)
    }
    rmSync(join(data, 'tipping.sqlite'))
    await expect(rotateWalletKey(config)).rejects.toThrow(/is missing/)
    expect(readFileSync(config.walletKeyFile, 'utf8')).toBe(key)
  })
})
