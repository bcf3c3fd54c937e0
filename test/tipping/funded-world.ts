import { TippingWorld, type WorldOptions } from './world.ts'

/** Opens a world in which alice has 1,000 sats, and the operator 100. */
export async function aliceHasSome(options: WorldOptions = {}): Promise<TippingWorld> {
  const world = await TippingWorld.open({ wallet: 100_000n, ...options })
  await world.fund('alice', 1_000)
  return world
}
