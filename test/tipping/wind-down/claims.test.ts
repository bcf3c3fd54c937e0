import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureClaimsKey, readClaimsFile, writeClaimsFile } from '../../../src/assembly/claim-files.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { type Claim, InvalidClaims, readClaims, signerOf, writeClaims } from '../../../src/lib/proofs/claim-list.ts'
import { TippingWorld } from '../world.ts'

const newKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
const key = newKey()

const claim = (n: number, change: Partial<Claim> = {}): Claim => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  kind: 'member',
  owner: `85068681229998489${n}`,
  amount: msats(1_234_567 + n),
  ...change,
})

const LIST = {
  windDown: 'the-end',
  network: 'regtest',
  madeAt: new Date(Date.UTC(2030, 0, 31)),
  claims: [claim(1), claim(2), claim(3, { kind: 'pool' })],
}
const signer = signerOf(key)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claims-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a claim list', () => {
  it('is read as it was written', () => {
    expect(readClaims(writeClaims(LIST, key))).toEqual({ ...LIST, signer })
    expect(readClaims(writeClaims({ ...LIST, claims: [] }, key)).claims).toEqual([])
  })

  type Content = { claims: { id: string; owner: string; amountMsats: string; kind: string }[] } & Record<
    string,
    unknown
  >
  it.each<[string, (list: Content) => unknown]>([
    ['an amount', (list) => Object.assign(list.claims[0] ?? {}, { amountMsats: '9234567' })],
    ['an owner', (list) => Object.assign(list.claims[0] ?? {}, { owner: '1' })],
    ['a kind', (list) => Object.assign(list.claims[0] ?? {}, { kind: 'pool' })],
    ['an id', (list) => Object.assign(list.claims[0] ?? {}, { id: claim(9).id })],
    ['the network', (list) => Object.assign(list, { network: 'bitcoin' })],
    ['the time', (list) => Object.assign(list, { madeAt: '2031-01-31T00:00:00.000Z' })],
    ['the total', (list) => Object.assign(list, { totalMsats: '1' })],
    ['the number of claims, by omitting one', (list) => list.claims.pop()],
    ['the number of claims, by repeating one', (list) => list.claims.push(list.claims[0] as Content['claims'][0])],
    ['the order of the claims', (list) => list.claims.reverse()],
    ['an amount to a negative one', (list) => Object.assign(list.claims[0] ?? {}, { amountMsats: '-1' })],
    ['the key', (list) => Object.assign(list, { publicKey: '00'.repeat(32) })],
    ['the fields, by adding an unknown one', (list) => Object.assign(list, { more: 1 })],
  ])('is refused if somebody has changed %s', (_, change) => {
    const list = JSON.parse(writeClaims(LIST, key)) as Content
    change(list)
    expect(() => readClaims(JSON.stringify(list))).toThrow(InvalidClaims)
  })

  const ESCAPE = '\u001b[2J'
  it.each<[string, string | ((list: Content) => unknown)]>([
    ['an unknown field', (list) => Object.assign(list, { [ESCAPE]: 1 })],
    ['an unknown field of a claim', (list) => Object.assign(list.claims[0] ?? {}, { [ESCAPE]: 1 })],
    ['the kind', (list) => Object.assign(list, { kind: ESCAPE })],
    ['the signed network', writeClaims({ ...LIST, network: ESCAPE }, key)],
    ['the signed wind-down', writeClaims({ ...LIST, windDown: ESCAPE }, key)],
    ['the owner of a signed claim', writeClaims({ ...LIST, claims: [claim(1, { owner: ESCAPE })] }, key)],
    ['text that is not JSON', ESCAPE],
  ])('is quoted on the terminal without the control characters in %s', (_, hostile) => {
    const file = join(folder, 'hostile.json')
    const list = JSON.parse(writeClaims(LIST, key)) as Content
    if (typeof hostile === 'function') hostile(list)
    writeFileSync(file, typeof hostile === 'string' ? hostile : JSON.stringify(list))
    const read = () => readClaimsFile(file, signer)
    expect(read).toThrow(/cannot be trusted: /)
    expect(read).not.toThrow(/\p{Cc}/u)
  })

  it.each(['', '{', '[]', 'null', '{"kind":"satchel-claims"}'])('is refused if the file contains %j', (text) => {
    expect(() => readClaims(text)).toThrow(InvalidClaims)
  })

  it('is always signed with the installation’s key, and is never overwritten', () => {
    const file = join(folder, 'claims.json')
    ensureClaimsKey(folder, { isFirst: true })
    const first = writeClaimsFile(folder, file, LIST)
    expect(first).toMatchObject({ claims: 3, sats: '3,703.707' })
    expect(() => writeClaimsFile(folder, file, LIST)).toThrow('was not overwritten')
    ensureClaimsKey(folder, { isFirst: false })
    expect(writeClaimsFile(folder, join(folder, 'again.json'), LIST).key).toBe(first.key)
    expect(readClaimsFile(file, first.key)).toMatchObject({ signer: first.key })
  })

  it('is accepted with the key that its operator has published, and with no other', () => {
    const file = join(folder, 'claims.json')
    writeFileSync(file, writeClaims(LIST, key))
    expect(() => readClaimsFile(file, undefined)).toThrow(`run this again with --key ${signer}`)
    expect(() => readClaimsFile(file, signerOf(newKey()))).toThrow(
      `The list is signed with the key ${signer}, not with`,
    )
    expect(() => readClaimsFile(join(folder, 'none.json'), signer)).toThrow('cannot be read')
    writeFileSync(file, readFileSync(file, 'utf8').replace('1234568', '1234569'))
    expect(() => readClaimsFile(file, signer)).toThrow('cannot be trusted')
  })
})

describe('a successor of a bot that ended', () => {
  let world: TippingWorld
  const adopt = (list: Partial<typeof LIST> = {}, by = signer) =>
    world.run(world.tipping.windDown.adopt({ ...LIST, ...list, signer: by }))
  const balances = async () =>
    (await world.database.read.account.findMany({ where: { owner: { in: LIST.claims.map(({ owner }) => owner) } } }))
      .map(({ kind, balance }) => [kind, balance])
      .sort()

  beforeEach(async () => {
    world = await TippingWorld.open({ wallet: 4_000_000n })
    world.network = 'regtest'
    await world.restart()
    await world.settle()
  })
  afterEach(() => world.close())

  it('credits each claim once, from the operator’s own sats', async () => {
    expect(await adopt({ claims: [claim(1)] })).toEqual({ count: 1, amount: 1_234_568n, before: 0 })
    expect(await adopt()).toEqual({ count: 2, amount: 2_469_139n, before: 1 })
    expect(await adopt()).toEqual({ count: 0, amount: 0n, before: 3 })
    expect(await balances()).toEqual([
      ['member', 1_234_568n],
      ['member', 1_234_569n],
      ['pool', 1_234_570n],
    ])
    expect(await world.run(world.tipping.audit())).toMatchObject({ holds: true, operator: 4_000_000n - 3_703_707n })
  })

  it('credits no claim if the operator’s own sats do not cover the list', async () => {
    const claims = [claim(1), claim(2, { amount: sats(4_000) })]
    await expect(adopt({ claims })).rejects.toThrow('1,234.568 sats are missing')
    expect(await balances()).toEqual([])
  })

  it('credits no claim for sats of another network', async () => {
    await expect(adopt({ network: 'bitcoin' })).rejects.toThrow('The claims are for sats on the bitcoin network')
    expect(await balances()).toEqual([])
  })

  it('refuses the claim list of its own book', async () => {
    const { windDown } = world.tipping
    const { id } = await windDown.start({ by: '2030-02-03', operator: 'olga' })
    await expect(adopt({ windDown: id })).rejects.toThrow('This claim list comes from this book')
    expect(await balances()).toEqual([])
  })

  it('credits both of two equal claims from the lists of different books', async () => {
    await adopt({ claims: [claim(1)] })
    expect(await adopt({ claims: [claim(1)] }, 'another')).toMatchObject({ count: 1, before: 0 })
  })
})
