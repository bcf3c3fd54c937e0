import { PAY_FAULTS } from '../../world/member-wallets.ts'
import { connectOwner, give } from '../wallet-owners.ts'
import type { Chapter } from './chapter.ts'

const OWNERS = ['owner-0', 'owner-1', 'owner-2'] as const
/** The number of tries to connect a wallet, as a relay may lose requests. */
const TRIES = 3

/**
 * Members tip each other from wallets that lose answers, pay late, pay without a proof, or lie, one fault after
 * another.
 */
export const faultyWallets: Chapter = async (stage) => {
  for (const owner of OWNERS) for (let tries = 0; tries < TRIES; tries += 1) await connectOwner(stage, owner)
  for (const [n, fault] of PAY_FAULTS.entries()) {
    const [from, to] = [OWNERS[n % 3] ?? '', OWNERS[(n + 1) % 3] ?? '']
    stage.world.memberWallets.of(from).payFaults.push(fault)
    await give(stage, from, to)
  }
}
