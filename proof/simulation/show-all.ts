import type { Tipping } from '../../src/tipping/tipping.ts'
import type { Shown } from '../judge/shown.ts'
import { lastVerification } from '../people/verifiers.ts'
import type { SimWorld } from '../world/world.ts'
import { notePrograms } from './note-programs.ts'

/** Reads, at the end, everything that people can see about their actions. */
export async function showAll(world: SimWorld, tipping: Tipping): Promise<Shown> {
  const { judge, model } = world
  await notePrograms(world, tipping)
  const members = new Set([...model.here.keys(), ...Array.from({ length: 10 }, (_, n) => `member-${n}`)])
  const { tips, claims, dropClaims, rewards, vouchers, redemptions } = judge.shown
  const giveaways = await each(model.giveaways.keys(), (id) => tipping.giveaways.view(id))
  const drawn = giveaways.filter(({ state }) => state === 'drawn').map(({ id }) => id)
  return {
    tips: await each(tips.keys(), (id) => tipping.tips.view(id)),
    claims: await each(claims.keys(), (id) => tipping.claims.view(id)),
    dropClaims: await each(dropClaims.keys(), async (id) => {
      const { voucher, ...claim } = await tipping.drops.claimView(id)
      const drawn = model.drops.get(claim.drop)?.draw ?? true
      return { ...claim, code: voucher !== undefined, drawn }
    }),
    giveaways,
    draws: await each(drawn, async (id) => {
      const { giveaway, proof } = await tipping.giveaways.proof({ giveaway: id, guild: 'guild' })
      return { id, proof, won: giveaway.won }
    }),
    rewards: await each(rewards.keys(), (id) => tipping.rewards.view(id)),
    withdrawals: await each(judge.withdrawals.typed.keys(), (id) => tipping.withdrawals.view(id)),
    vouchers: await each(vouchers, (id) => tipping.vouchers.view(id)),
    redemptions: await each(redemptions, (id) => tipping.vouchers.redemption(id)),
    verifications: await each(judge.verifications.handedOut.keys(), async (paymentHash) => ({
      paymentHash,
      last: await lastVerification(world, paymentHash),
    })),
    balances: await each(members, async (member) => ({ member, available: await tipping.balances.available(member) })),
  }
}

function each<T>(ids: Iterable<string>, view: (id: string) => Promise<T>): Promise<T[]> {
  return Promise.all([...ids].map(view))
}
