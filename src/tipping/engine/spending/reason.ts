import type { TippingContext } from '../tipping-context.ts'

/** Returns why a server's pool paid for a gift, by the gift's id. */
export async function reasonOf({ database }: Pick<TippingContext, 'database'>, record: string): Promise<string> {
  const reward = await database.read.reward.findUnique({ where: { record }, select: { reason: true } })
  return reward?.reason ?? ''
}
