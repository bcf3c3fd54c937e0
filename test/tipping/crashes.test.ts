import { describe, expect, it } from 'vitest'
import { TippingWorld } from './world.ts'

let world: TippingWorld

/** Every moment at which a process can be killed: before and after each of its commits. */
const moments = [1, 2, 3, 4].flatMap((commit) => [[commit, 'before'] as const, [commit, 'after'] as const])

/** Runs an action on a process that dies meanwhile, and then repeats it, as Discord or the person would. */
async function survive(commit: number, moment: 'before' | 'after', act: () => Promise<unknown>): Promise<void> {
  const died = world.dieAtCommit(commit, moment)
  const acted = act().then(
    () => world.settle(),
    () => undefined,
  )
  await Promise.race([died, acted])
  await world.reborn()
  await world.settle()
  await act()
  await world.settle()
  await world.pass(60_000)
}

describe('fault 21: a process that is killed between any two statements', () => {
  it.each(moments)('gives a tip to a linked member only once (commit %d, %s)', async (commit, moment) => {
    world = await TippingWorld.open()
    await world.fund('alice', 1_000)
    const bob = await world.linked('bob')
    await survive(commit, moment, () => world.tip('alice', 'bob', '100', 'the-tip'))
    expect(world.received(bob) + (await world.available('bob'))).toBe(100_000n)
    expect(await world.available('alice')).toBe(900_000n)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 0n })
  })

  it.each(moments)('pays a linked member’s claim only once (commit %d, %s)', async (commit, moment) => {
    world = await TippingWorld.open()
    await world.fund('alice', 1_000)
    await world.tip('alice', 'carol', '100')
    const carol = await world.linked('carol')
    await survive(commit, moment, () =>
      world.tipping.claims.take({ member: 'carol', origin: world.origin('the-claim') }),
    )
    expect(world.received(carol) + (await world.available('carol'))).toBe(100_000n)
    expect((await world.tipping.balances.view('carol')).unclaimed).toBeUndefined()
  })

  it.each(moments)(
    'creates an address and credits a payment to it only once (commit %d, %s)',
    async (commit, moment) => {
      world = await TippingWorld.open()
      let paid = false
      const act = async () => {
        const origin = world.origin()
        await world.tipping.addresses.take({ member: 'alice', ideas: ['alice'], origin })
        if (!paid) world.provider.addresses.pay('alice', 100)
        paid = true
        const [charge] = world.provider.addresses.all
        await world.tipping.hint(world.token(charge?.body.callbackUrl ?? ''))
      }
      await survive(commit, moment, act)
      expect(world.provider.addresses.all).toHaveLength(1)
      expect(await world.available('alice')).toBe(100_000n)
    },
  )

  it.each(moments)('creates a deposit and credits its payment only once (commit %d, %s)', async (commit, moment) => {
    world = await TippingWorld.open()
    const paid = new Set<string>()
    const act = async () => {
      // The first creation may have been given up; then nobody saw its code, and the person asks again.
      const ask = (interaction: string) =>
        world.tipping.deposits.open({ member: 'alice', amount: '100', origin: world.origin(interaction) })
      const deposit = await ask('first').catch(() => ask('second'))
      const charge = world.provider.chargeOf(deposit.request)
      if (!paid.has(charge.id)) world.provider.payCharge(charge.id)
      paid.add(charge.id)
      await world.tipping.hint(world.token(charge.callbackUrl))
    }
    await survive(commit, moment, act)
    expect(paid.size).toBe(1)
    expect(await world.available('alice')).toBe(100_000n)
  })
})
