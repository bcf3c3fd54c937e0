import { expect } from 'vitest'
import type { TippingWorld } from '../world.ts'
import { begin, type Community, DAY_MS, throughTheRounds, useCodes, whereItIs } from './community.ts'

/** A wind-down's results, in msats except for the counts. */
export interface Ended {
  readonly deaths: number
  readonly rounds: number
  readonly paid: bigint
  readonly fees: bigint
  readonly claimed: bigint
}

/**
 * Winds a community down while its process is killed this often, at commits further and further from the process's
 * start; then lets the wind-down continue to the end, and compares each balance with what was paid and listed, to the
 * msat, and the book's payments with the provider's.
 */
export async function killedAllTheWay({ world, members }: Community, kills: number): Promise<Ended> {
  const before = new Map<string, bigint>()
  for (const member of [...members, 'alice']) before.set(member, await balanceOf(world, member))
  await begin(world)
  const deaths = await dying(world, kills)
  await throughTheRounds(world)
  const rounds = (await world.tipping.windDown.status())?.round ?? 0
  await useCodes(world)
  await world.run(world.tipping.windDown.claims())
  const ended = { deaths, rounds, paid: 0n, fees: 0n, claimed: 0n }
  for (const [member, balance] of before) {
    const { paid, fees, claimed, here: left } = await whereItIs(world, member)
    expect([member, paid + fees + claimed, left]).toEqual([member, balance, 0n])
    ended.paid += paid
    ended.fees += fees
    ended.claimed += claimed
  }
  const { payments, requests } = world.provider.outgoing
  const left = [...payments.values(), ...requests.values()].filter(({ status }) => status === 'completed')
  const paid = await world.database.read.withdrawal.findMany({ where: { state: 'paid' }, select: { id: true } })
  expect(left.map(({ body }) => body.internalId).sort()).toEqual(paid.map(({ id }) => id).sort())
  return ended
}

async function balanceOf({ database }: TippingWorld, owner: string): Promise<bigint> {
  const account = await database.read.account.findUnique({ where: { kind_owner: { kind: 'member', owner } } })
  return account?.balance ?? 0n
}

/** Lets time pass on processes that each die some commits after their start; resolves to the number of deaths. */
async function dying(world: TippingWorld, kills: number): Promise<number> {
  let deaths = 0
  for (let turn = 0; turn < kills; turn += 1) {
    let dead = false
    const died = world.dieAtCommit(1 + ((turn * turn) % 23), turn % 2 === 0 ? 'after' : 'before').then(() => {
      dead = true
    })
    await Promise.race([died, world.pass(DAY_MS / 2)])
    if (dead) deaths += 1
    await world.reborn()
    await world.settle()
  }
  return deaths
}
