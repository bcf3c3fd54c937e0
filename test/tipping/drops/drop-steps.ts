import type { DropCommand, DropView } from '../../../src/tipping/tipping.ts'
import type { TippingWorld } from '../world.ts'

/** Opens a drop by alice, of 100 sats in 10 shares unless the command says otherwise. */
export function open(world: TippingWorld, command: Partial<DropCommand> = {}, interaction?: string): Promise<DropView> {
  const origin = world.origin(interaction)
  return world.run(world.tipping.drops.open({ member: 'alice', amount: '100', shares: 10, origin, ...command }))
}

export function claim(world: TippingWorld, drop: string, id: string, answer?: string) {
  const claimant = { id, accountSince: new Date(0), memberSince: new Date(0), roles: [] }
  return world.run(world.tipping.drops.claim({ drop, claimant, answer, origin: world.origin() }))
}

export function close(world: TippingWorld, drop: string, member = 'alice'): Promise<DropView> {
  return world.run(world.tipping.drops.close({ drop, member, moderator: false, origin: world.origin() }))
}

/** Returns each outcome: `share`, or the refusal's code. */
export async function outcomes(tries: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(tries)
  return settled.map((one) => (one.status === 'fulfilled' ? 'share' : String(one.reason.code ?? one.reason)))
}

/**
 * Lets this many people press, each a moment after the previous one and without awaiting an answer; returns the
 * outcomes.
 */
export async function oneAfterTheOther(people: number, press: (who: string) => Promise<unknown>): Promise<string[]> {
  const told: Promise<string[]>[] = []
  for (let i = 0; i < people; i += 1) {
    told.push(outcomes([press(`fan-${i}`)]))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return (await Promise.all(told)).flat()
}
