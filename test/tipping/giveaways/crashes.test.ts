import { afterEach, describe, expect, it } from 'vitest'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

afterEach(() => world.close())

/** Every moment at which a process can be killed between the end of a giveaway and its last payout. */
const moments = [1, 2, 3, 4, 5, 6].flatMap((commit) => [[commit, 'before'] as const, [commit, 'after'] as const])

async function show(): Promise<void> {
  for (const { id, revision } of await world.tipping.cards.pending(100)) {
    await world.tipping.cards.shown(id, revision, `message-${id}`)
  }
}

describe('fault 21: the process is killed between any two statements', () => {
  it.each(moments)('of a giveaway’s end (commit %d, %s)', async (commit, moment) => {
    world = await TippingWorld.open()
    await world.fund('alice', 1_000)
    const bob = await world.linked('bob')
    const { giveaways } = world.tipping
    const terms = { prize: '100', winners: 2, duration: '10m' }
    const { id } = await giveaways.start({ member: 'alice', ...terms, origin: world.origin() })
    const entrant = { accountSince: new Date(0), roles: [] }
    await giveaways.enter({ giveaway: id, member: 'bob', entrant, interaction: '1001' })
    await show()
    const died = world.dieAtCommit(commit, moment)
    const lived = (async () => {
      await world.pass(10 * 60_000)
      await show()
      await world.pass(5_000)
    })().catch(() => undefined)
    await Promise.race([died, lived])
    await world.reborn()
    await world.pass(10 * 60_000)
    await show()
    await world.pass(60_000)
    expect(await world.tipping.giveaways.view(id)).toMatchObject({ state: 'drawn', returned: 100_000n })
    expect(world.received(bob) + (await world.available('bob'))).toBe(100_000n)
    expect(await world.available('alice')).toBe(900_000n)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 0n })
  })
})
