import { sats } from '../../src/lib/money/amount.ts'
import type { Credit } from '../judge/holdings.ts'
import type { Actor, PayableRequest, Stage } from './people.ts'

/** Members who take their own Lightning Addresses and receive all payments to these. */
export const addresses: Actor = {
  name: 'addresses',
  weight: 3,
  async act(stage) {
    const name = stage.chance.happens(0.3) ? `name${stage.chance.between(0, 9)}` : undefined
    await takeAddress(stage, stage.member(), name)
  },
}

/**
 * Lets a member take an address with this name or any name, or read their existing address. Resolves to the address's
 * code; undefined if the request is refused.
 */
export async function takeAddress(
  stage: Stage,
  member: string,
  name: string | undefined,
): Promise<PayableRequest | undefined> {
  const { chance } = stage
  const command = { member, ideas: [member, `${member}.here`], origin: stage.origin(), ...(name ? { name } : {}) }
  const taken = await stage.insist(`${member} takes an address`, ({ addresses }) => addresses.take(command))
  if (!('done' in taken)) return undefined
  const { address, request } = taken.done
  stage.world.judge.addresses.shown(address, member)
  // The code is scanned or typed.
  const code = chance.happens(0.5) ? request : address
  const credit: Credit = (amount, holdings) => holdings.give(member, amount)
  stage.payables.push({ code, amount: sats(chance.between(1, 700)), credit })
  const payable = { code: request, amount: sats(chance.between(1, 700)), credit }
  stage.addresses.push(payable)
  return payable
}
