import { describe, expect, it } from 'vitest'
import { LedgerUnavailable } from '../../src/ledger/ledger.ts'
import { fileOfUrl } from '../../src/lib/database/database.ts'
import { TippingWorld } from '../tipping/world.ts'
import { AILMENTS } from './sick-disk.ts'

let world: TippingWorld

const long = 'x'.repeat(200)

/** Tips until a tip is refused, with notes that fill pages, so that a full disk soon has an effect. */
async function tipUntilRefused(): Promise<{ readonly given: number; readonly error: unknown }> {
  for (let given = 0; ; given += 1) {
    if (given > 200) throw new Error('the disk never was full')
    try {
      const origin = world.origin()
      await world.tipping.tips.send({ from: 'alice', to: [{ id: 'bob', bot: false }], amount: '1', note: long, origin })
    } catch (error) {
      return { given, error }
    }
  }
}

describe.each(AILMENTS)('fault 26, the bot while $name', ({ fallIll }) => {
  it('refuses tips, moves sats only for acknowledged tips, and continues afterwards', async () => {
    world = await TippingWorld.open()
    await world.fund('alice', 1_000)
    await world.tipping.balances.view('bob')
    const recover = await fallIll(world.database.write, fileOfUrl(world.database))
    const { given, error } = await tipUntilRefused()
    expect(error).toBeInstanceOf(LedgerUnavailable)
    expect(await world.available('alice').catch(() => undefined)).not.toBe(0n)
    await recover()
    expect(await world.available('alice')).toBe(1_000_000n - BigInt(given) * 1_000n)
    expect(await world.available('bob')).toBe(BigInt(given) * 1_000n)
    await world.tip('alice', 'bob', '5')
    expect(await world.available('bob')).toBe(BigInt(given) * 1_000n + 5_000n)
  })

  it('acknowledges no callback that it cannot store, and finds the payment later', async () => {
    world = await TippingWorld.open()
    const deposit = await world.tipping.deposits.open({ member: 'alice', amount: '100', origin: world.origin() })
    const charge = world.provider.chargeOf(deposit.request)
    world.provider.payCharge(charge.id)
    const recover = await fallIll(world.database.write, fileOfUrl(world.database))
    await tipUntilFull()
    await expect(
      world.tipping.hint(world.token(charge.callbackUrl), { slots: 1, filler: long.repeat(60) }),
    ).rejects.toThrow()
    await recover()
    await world.pass(120_000)
    expect(await world.available('alice')).toBe(100_000n)
  })

  it('books a payout’s outcome once the disk has recovered', async () => {
    world = await TippingWorld.open()
    await world.fund('alice', 1_000)
    const bob = await world.linked('bob')
    const ill = Promise.withResolvers<() => Promise<void>>()
    const before = () => ill.resolve(fallIll(world.database.write, fileOfUrl(world.database)))
    world.provider.misbehave('payToGamertag', { before })
    const tipped = world.tip('alice', 'bob', '100')
    const recover = await ill.promise
    await recover()
    await world.run(tipped)
    await world.settle()
    expect(world.received(bob)).toBe(100_000n)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ available: 0n, inFlight: 0n })
  })
})

it('fault 26: a full disk slows the polling of a deposit and delays its credit', async () => {
  world = await TippingWorld.open()
  const { request } = await world.tipping.deposits.open({ member: 'alice', amount: '100', origin: world.origin() })
  world.provider.payCharge(world.provider.chargeOf(request).id)
  const reads = () => world.provider.count('getStaticCharge')
  const before = reads()
  world.failCommits = 100
  await world.pass(60_000)
  expect(reads() - before).toBeLessThan(12)
  world.failCommits = 0
  await world.pass(300_000)
  expect(await world.available('alice')).toBe(100_000n)
})

/** Runs commands until the disk is full. Nobody has sats to give, so nothing moves: only the commands fill the disk. */
async function tipUntilFull(): Promise<void> {
  for (let asked = 0; asked < 200; asked += 1) {
    try {
      await world.tipping.invoices
        .create({ member: 'nobody', amount: '1', origin: world.origin() })
        .catch(() => undefined)
      await world.tipping.balances.view(`guest-${asked}-${long}`)
    } catch {
      return
    }
  }
}
