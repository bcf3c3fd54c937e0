import { faultsOfBalance } from '../../src/lib/proofs/balance-proof.ts'
import { faultsOfDraw } from '../../src/lib/proofs/draw-proof.ts'
import type { Tipping } from '../../src/tipping/tipping.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'

type Poll = (tipping: Tipping, stage: Stage, member: string) => Promise<unknown>

/** People who look at all pages, and verify what can be verified. */
export const viewers: Actor = {
  name: 'viewers',
  weight: 3,
  async act(stage) {
    const member = stage.member()
    const name = stage.chance.one(Object.keys(LOOKS)) as keyof typeof LOOKS
    await stage.insist(`${member} looks at ${name}`, async (tipping) => {
      await LOOKS[name](tipping, stage, member)
      return {}
    })
  },
}

const LOOKS = {
  leaderboard: ({ insights }) => insights.leaderboard('guild', 'day'),
  stats: ({ insights }) => insights.stats('guild', 'week'),
  giveaways: ({ giveaways }) => giveaways.list({ guild: 'guild', limit: 5 }),
  async draw({ giveaways }, stage) {
    const latest = stage.giveaways.at(-stage.chance.between(1, 4))
    if (latest === undefined) return
    const { proof } = await giveaways.proof({ giveaway: latest.id, guild: 'guild' })
    const faults = proof === undefined ? [] : faultsOfDraw(proof, stage.world.beacons.options.beaconChain)
    if (faults.length > 0) throw new Bug(`the draw of ${latest.id} does not prove right: ${faults.join('; ')}`)
  },
  async balance({ administration }, _stage, member) {
    const faults = faultsOfBalance(await administration.balanceProof(member))
    if (faults.length > 0) throw new Bug(`the balance of ${member} is not part of what is owed: ${faults.join('; ')}`)
  },
  async vouchers({ vouchers }, _stage, member) {
    for (const { id } of await vouchers.mine(member, 2)) await vouchers.status({ member, voucher: id })
  },
  operators: ({ administration }) =>
    Promise.all([
      administration.status(),
      administration.overview(),
      administration.movement(),
      administration.node(),
      administration.whyNotReady(),
      administration.untoldAlerts(5),
      administration.unknown(5),
    ]),
  async history({ history }, _stage, member) {
    await Promise.all([history.page(member, 0), history.export(member)])
    for (const { operation } of (await history.operations(member)).slice(0, 3))
      await history.receipt({ member, operation })
  },
  mine: ({ addresses, drops, preferences, links, claims }, _stage, member) =>
    Promise.all([
      addresses.mine(member),
      drops.mine(member, 3),
      preferences.of(member),
      links.isLinked(member),
      claims.hasUnclaimed(member),
    ]),
  async requests({ invoices }, stage) {
    const latest = stage.invoices.at(-1)
    if (latest !== undefined) await invoices.view(latest.id)
  },
  async fundraiser({ pools }, stage) {
    const latest = stage.fundraisers.at(-1)
    if (latest !== undefined) await pools.fundraiser(latest.id)
  },
  changes: ({ insights }) => insights.changes('guild', 15),
  openDrops: ({ insights }) => insights.drops('guild', () => true),
  drop: async ({ drops }, stage) => {
    const latest = stage.drops.at(-1)
    return latest && drops.view(latest.id)
  },
} as const satisfies Record<string, Poll>
