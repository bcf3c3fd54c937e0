import { afterEach, describe, expect, it } from 'vitest'
import { begin, type Community, community, DAY_MS, throughTheRounds, useCodes, whereItIs } from './community.ts'

let here: Community

afterEach(() => here.close())

/** Lets time pass on processes of which each dies a few commits after its start; resolves to how many died. */
async function dyingAllTheTime(turns: number): Promise<number> {
  const { world } = here
  let deaths = 0
  for (let turn = 0; turn < turns; turn += 1) {
    let dead = false
    const died = world.dieAtCommit(1 + (turn % 5), turn % 2 === 0 ? 'after' : 'before').then(() => {
      dead = true
    })
    await Promise.race([died, world.pass(DAY_MS / 2)])
    if (dead) deaths += 1
    await world.reborn()
    await world.settle()
  }
  return deaths
}

describe('a wind-down whose process is killed at every step', () => {
  it('pays or lists each of 50 balances to the msat, and nothing twice', { timeout: 240_000 }, async () => {
    here = await community(50)
    const { world, members } = here
    const before = new Map<string, bigint>()
    for (const member of [...members, 'alice']) before.set(member, await world.available(member))
    await begin(world)
    const deaths = await dyingAllTheTime(20)
    expect(deaths).toBeGreaterThan(15)
    await throughTheRounds(world)
    await useCodes(world)
    const { claims } = await world.run(world.tipping.windDown.claims())
    for (const [member, balance] of before) {
      const { paid, fees, claimed, here: left } = await whereItIs(world, member)
      expect([member, paid + fees + claimed, left]).toEqual([member, balance, 0n])
    }
    // What the book calls paid is what has left the provider, payment by payment.
    const { payments, requests } = world.provider.outgoing
    const left = [...payments.values(), ...requests.values()].filter(({ status }) => status === 'completed')
    const paid = await world.database.read.withdrawal.findMany({ where: { state: 'paid' } })
    expect(left.map(({ body }) => body.internalId).sort()).toEqual(paid.map(({ id }) => id).sort())
    expect(claims.every(({ amount }) => amount > 0n)).toBe(true)
    const notices = await world.database.read.windDownNotice.groupBy({ by: ['kind'], _count: true })
    expect(notices.map(({ kind, _count }) => [kind, _count]).sort()).toEqual([
      ['reminded', 51],
      ['told', 51],
    ])
  })
})
