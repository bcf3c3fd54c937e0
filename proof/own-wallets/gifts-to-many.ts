import { expect } from 'vitest'
import type { Settlement } from '../../test/support/scripted-wallets.ts'
import type { TippingWorld } from '../../test/tipping/world.ts'
import { handOf } from '../judge/own-wallets.ts'
import type { Chance } from '../world/chance.ts'

/** A drop or rain from a wallet. The amount of its shares is unique, and so identifies its payments. */
export interface GiftToMany {
  readonly kind: 'drop' | 'rain'
  readonly from: string
  /** People who press for a share of a drop; there are more of them than shares. */
  readonly claimants: readonly string[]
  readonly share: bigint
  readonly interaction: string
}

const SHARES = 3

/** The shares' outcomes. */
interface Ended {
  drops: number
  rains: number
  sharesPaid: number
  sharesVoid: number
  sharesUnsure: number
}

/** Drops and rain among people who all have wallets, judged by the payments in the wallets. */
export class GiftsToMany {
  readonly ended: Ended = { drops: 0, rains: 0, sharesPaid: 0, sharesVoid: 0, sharesUnsure: 0 }
  readonly #world: TippingWorld
  readonly #chance: Chance
  readonly #owners: readonly string[]

  constructor(world: TippingWorld, chance: Chance, owners: readonly string[]) {
    this.#world = world
    this.#chance = chance
    this.#owners = owners
  }

  draw(share: bigint): GiftToMany {
    const others = [...this.#owners]
    const take = () => others.splice(this.#chance.between(0, others.length - 1), 1)[0] ?? ''
    const { drops, rains } = this.ended
    const kind = this.#chance.one(['drop', 'rain'] as const)
    if (kind === 'drop') this.ended.drops += 1
    else this.ended.rains += 1
    const [from, claimants] = [take(), Array.from({ length: SHARES + 2 }, take)]
    return { kind, from, claimants, share, interaction: `to-many-${drops + rains}` }
  }

  /** Gives the drop or rain, or repeats its commands and presses. Resolves to its id; undefined if it was refused. */
  async give(gift: GiftToMany): Promise<string | undefined> {
    try {
      return gift.kind === 'drop' ? await this.#drop(gift) : await this.#rain(gift)
    } catch (error) {
      expect(error).toHaveProperty('code')
      return undefined
    }
  }

  async #drop({ from: member, claimants, share, interaction }: GiftToMany): Promise<string> {
    const { tipping } = this.#world
    const amount = String((share / 1_000n) * BigInt(SHARES))
    const { id } = await tipping.drops.open({ member, amount, shares: SHARES, origin: this.#world.origin(interaction) })
    // Each person presses twice simultaneously.
    await Promise.all(
      [...claimants, ...claimants].map(async (claimant) => {
        const about = { accountSince: new Date(0), memberSince: new Date(0), roles: [] }
        const origin = this.#world.origin(`${interaction} ${claimant}`)
        await tipping.drops
          .claim({ drop: id, claimant: { id: claimant, ...about }, origin })
          .catch((error: unknown) => {
            expect(error).toHaveProperty('code', 'drop-empty')
          })
      }),
    )
    return id
  }

  async #rain({ from, share, interaction }: GiftToMany): Promise<string> {
    const { tipping } = this.#world
    for (const owner of this.#owners) tipping.rain.heard('guild', owner)
    const amount = String((share / 1_000n) * BigInt(SHARES))
    const about = { from, guild: 'guild', amount, people: SHARES, activeWithinMinutes: 60 }
    return (await tipping.rain.fall({ ...about, origin: this.#world.origin(interaction) })).id
  }

  /** Judges a gift by the payments in the wallets; `isMute` returns whether a wallet reports no payments. */
  async judge(
    gift: GiftToMany,
    id: string | undefined,
    payments: readonly Settlement[],
    isMute: (member: string) => boolean,
  ): Promise<void> {
    const { kind, from, share } = gift
    const paid = payments.filter(({ amount }) => amount === share)
    const seen = `${gift.interaction}: ${JSON.stringify(paid.map(({ by, to }) => [...by, to]))}`
    for (const { by } of paid) expect([from, handOf(from)], seen).toContain(by.join())
    const receivers = paid.map(({ to }) => to)
    expect(new Set(receivers).size, seen).toBe(receivers.length)
    if (id === undefined) return expect(paid, seen).toEqual([])
    const shares = await this.#sharesOf(kind, id)
    expect(new Set(shares.map(({ recipient }) => recipient)).size, seen).toBe(SHARES)
    for (const to of receivers)
      expect(
        shares.map(({ recipient }) => recipient),
        seen,
      ).toContain(to)
    for (const { recipient, state } of shares) {
      const told = receivers.includes(recipient) ? ['direct'] : ['unpaid']
      const mayBeUnsure = isMute(from) || isMute(recipient)
      expect(mayBeUnsure ? [...told, 'unsure', 'unconfirmed'] : told, seen).toContain(state)
      if (state === 'direct') this.ended.sharesPaid += 1
      else if (state === 'unpaid') this.ended.sharesVoid += 1
      else this.ended.sharesUnsure += 1
    }
  }

  async #sharesOf(kind: GiftToMany['kind'], id: string) {
    const { tipping } = this.#world
    if (kind === 'drop') return (await tipping.drops.view(id)).payments ?? []
    return (await tipping.tips.view(id)).shares
  }
}
