import type { TippingContext } from '../tipping-context.ts'

/** Returns the reason for which a server's pool paid for the gift with this id; empty if there is none. */
export async function reasonOf({ database }: Pick<TippingContext, 'database'>, record: string): Promise<string> {
  const reward = await database.read.reward.findUnique({ where: { record }, select: { reason: true } })
  return reward?.reason ?? ''
}
