import type { LndNetwork } from '../../nodes/lnd-network.ts'
import { type LndProcess, until } from '../../nodes/lnd-process.ts'
import type { Progress } from '../../simulation/progress.ts'
import type { Chance } from '../../world/chance.ts'
import type { Stage } from '../../world/processes/stage.ts'
import type { Traffic } from '../traffic.ts'

export const VICTIMS = ['service', 'bot', 'ours', 'hub', 'outside'] as const
export type Blows = Readonly<Record<(typeof VICTIMS)[number], number>>

/** Returns each victim's number of kills: a quarter each for bot and service, and the rest for the nodes. */
export function shareOut(kills: number): Blows {
  const each = { service: Math.floor(kills / 4), bot: Math.floor(kills / 4) }
  const nodes = kills - each.service - each.bot
  const hub = Math.floor(nodes / 3)
  return { ...each, hub, outside: hub, ours: nodes - 2 * hub }
}

/** The range of the time that bot and service live after they are up, in milliseconds. */
const PROGRAMS_LIVE_MS = [1_000, 10_000] as const
/** The range of the time between two blows in which payments use the channels, in milliseconds. */
const NODES_LIVE_MS = [300, 4_000] as const
/** The probability that a node is struck before it has found its peers again. */
const BEFORE_RECONNECT = 0.25
const RECONNECT_LIMIT_MS = 30_000
const FROZEN_MS = [4_000, 7_000] as const
/** The time in which the hub cannot forward payments, in milliseconds. */
const DRY_MS = 6_000
const FREEZES = 4

export interface Weather {
  readonly stage: Stage
  readonly network: LndNetwork
  readonly chance: Chance
  readonly traffic: Traffic
  readonly progress: Progress
}

/** Repeatedly kills and restarts the bot or the service. Some lives end while the process is still starting. */
export async function killPrograms(weather: Weather, side: 'bot' | 'service', times: number): Promise<void> {
  const { stage, chance, progress } = weather
  for (let killed = 0; killed < times; killed += 1) {
    await pause(chance.between(...PROGRAMS_LIVE_MS))
    await stage[side].kill()
    progress.add(1)
    const starting = stage[side].start()
    if (chance.happens(0.2) && killed + 1 < times) starting.catch(() => undefined)
    else await starting
  }
}

/** Kills the nodes, freezes the outside node, and exhausts the channel to that node, blow by blow in random order. */
export async function strikeNodes(weather: Weather, blows: Blows): Promise<void> {
  const { network, chance, traffic, progress } = weather
  const nodes = ['ours', 'hub', 'outside'] as const
  const order = shuffled(chance, [
    ...nodes.flatMap((name) => Array<(typeof nodes)[number]>(blows[name]).fill(name)),
    ...Array<'freeze'>(FREEZES).fill('freeze'),
    'dry' as const,
  ])
  for (const [i, blow] of order.entries()) {
    if (i >= (order.length * 2) / 3) traffic.noMoreDrops()
    if (!chance.happens(BEFORE_RECONNECT)) await connected(network)
    await pause(chance.between(...NODES_LIVE_MS))
    if (blow === 'freeze') await freeze(network.outside, chance.between(...FROZEN_MS))
    else if (blow === 'dry') await dryOut(network)
    else {
      await network[blow].kill()
      progress.add(1)
      await network[blow].up()
    }
  }
}

/** Resolves when all channels work, or when a time limit is over. */
async function connected({ ours, outside }: LndNetwork): Promise<void> {
  for (const node of [ours, outside]) {
    await until(
      'the channel works',
      async () => {
        const { channels } = await node.call('GET', '/v1/channels')
        return channels.every((one: { active: boolean }) => one.active)
      },
      RECONNECT_LIMIT_MS,
    ).catch(() => undefined)
  }
}

/** Freezes a node for some time, in which it receives HTLCs and does not answer. */
async function freeze(node: LndProcess, ms: number): Promise<void> {
  node.signal('SIGSTOP')
  await pause(ms)
  node.signal('SIGCONT')
}

/**
 * Makes the hub pay nearly all of its sats in the channel to the outside node, so that the hub can forward no payment
 * there, and then makes the outside node pay them back.
 */
async function dryOut({ hub, outside }: LndNetwork): Promise<void> {
  await channelsAreUp(hub, 2)
  const moved = await until('the hub has paid what it has', async () => {
    const { channels } = await hub.call('GET', '/v1/channels')
    const key = await outside.pubkey()
    const channel = channels.find((one: { remote_pubkey: string }) => one.remote_pubkey === key)
    const spare = BigInt(channel.local_balance) - BigInt(channel.local_constraints.chan_reserve_sat) - 5_000n
    await pay(hub, outside, spare)
    return spare
  })
  await pause(DRY_MS)
  await until('the hub has it back', async () => {
    await pay(outside, hub, moved)
    return true
  })
}

async function pay(from: LndProcess, to: LndProcess, sats: bigint): Promise<void> {
  const { payment_request } = await to.call('POST', '/v1/invoices', { value: `${sats}` })
  const order = { payment_request, fee_limit_msat: '0', timeout_seconds: 10, no_inflight_updates: true }
  const { result } = await from.call('POST', '/v2/router/send', order, 15_000)
  if (result.status !== 'SUCCEEDED') throw new Error(result.failure_reason)
}

/** Resolves when a node has this many working channels, and no payment is in flight in any. */
export async function channelsAreUp(node: LndProcess, count: number): Promise<void> {
  await until(
    'the channels are up and at rest',
    async () => {
      const { channels } = await node.call('GET', '/v1/channels')
      return (
        channels.length === count &&
        channels.every((one: { active: boolean; pending_htlcs: [] }) => one.active && one.pending_htlcs.length === 0)
      )
    },
    180_000,
  )
}

function shuffled<Item>(chance: Chance, items: readonly Item[]): Item[] {
  const left = [...items]
  const order: Item[] = []
  while (left.length > 0) order.push(...left.splice(chance.between(0, left.length - 1), 1))
  return order
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
