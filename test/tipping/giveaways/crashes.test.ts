import { describe, expect, it } from 'vitest'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

/** Every moment at which a process can be killed between the end of a giveaway and its last payout. */
const moments = [1, 2, 3, 4, 5, 6].flatMap((commit) => [[commit, 'before'] as const, [commit, 'after'] as const])

async function show(): Promise<void> {
  for (const card of await world.tipping.cards.pending(100)) {
    await world.tipping.cards.shown(card, `message-${card.id}`)
  }
}

/** The further moments between a claim and its payout, and in the draw of unclaimed prizes. */
const laterMoments = [1, 2, 3, 4].flatMap((commit) => [[commit, 'before'] as const, [commit, 'after'] as const])

/**
 * Starts a giveaway of 100 sats whose two entrants are drawn one after the other: the second is drawn when the first
 * one's hour is over.
 */
async function drawnToClaim(): Promise<{ readonly id: string; readonly line: readonly string[] }> {
  const { giveaways } = world.tipping
  const terms = { prize: '100', winners: 1, duration: '10m', claimTime: '1h' }
  const { id } = await giveaways.start({ member: 'alice', ...terms, origin: world.origin() })
  const entrant = { accountSince: new Date(0), roles: [] }
  for (const [nth, member] of ['bob', 'carol'].entries())
    await giveaways.enter({ giveaway: id, member, entrant, interaction: `${1_001 + nth}` })
  await world.pass(10 * 60_000)
  await show()
  await world.pass(1_000)
  const [first = ''] = (await giveaways.view(id)).claim?.named.map(({ member }) => member) ?? []
  return { id, line: [first, first === 'bob' ? 'carol' : 'bob'] }
}

describe('fault 21: a process that is killed between any two statements', () => {
  it.each(moments)('ends a giveaway only once (commit %d, %s)', async (commit, moment) => {
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

  it.each(laterMoments)('pays a claimed prize only once (commit %d, %s)', async (commit, moment) => {
    world = await TippingWorld.open()
    await world.fund('alice', 1_000)
    const wallets = [await world.linked('bob'), await world.linked('carol')]
    const { id, line } = await drawnToClaim()
    const [member = ''] = line
    const press = { giveaway: id, member, interaction: '2001' }
    const died = world.dieAtCommit(commit, moment)
    const lived = (async () => {
      await world.tipping.giveaways.claim(press)
      await world.pass(5_000)
    })().catch(() => undefined)
    await Promise.race([died, lived])
    await world.reborn()
    await world.tipping.giveaways.claim(press)
    await world.pass(60_000)
    expect(await world.tipping.giveaways.view(id)).toMatchObject({ returned: 0n, won: [{ member }] })
    const arrived = wallets.map((wallet) => world.received(wallet)).reduce((one, other) => one + other)
    expect(arrived + (await world.available('bob')) + (await world.available('carol'))).toBe(100_000n)
    expect(await world.available('alice')).toBe(900_000n)
  })

  it.each(laterMoments)('draws again for unclaimed prizes only once (commit %d, %s)', async (commit, moment) => {
    world = await TippingWorld.open()
    await world.fund('alice', 1_000)
    const { id, line } = await drawnToClaim()
    const died = world.dieAtCommit(commit, moment)
    const lived = (async () => {
      await world.pass(60 * 60_000)
      await show()
      await world.pass(60 * 60_000)
    })().catch(() => undefined)
    await Promise.race([died, lived])
    await world.reborn()
    await world.pass(3 * 3_600_000)
    const { claim, returned } = await world.tipping.giveaways.view(id)
    expect(claim?.named.map((named) => named.member)).toEqual(line)
    expect([returned, await world.available('alice')]).toEqual([100_000n, 1_000_000n])
  })
})
