import type { BatchCode } from '../../src/tipping/tipping.ts'
import { typedMsats, walletsShare } from '../judge/promises.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'

/** Members who make one or many codes, redeem others' codes, mistype some, and take their own codes back. */
export const vouchers: Actor = {
  name: 'vouchers',
  weight: 7,
  async act(stage) {
    const doing = stage.chance.weighted({ create: 4, batch: 0.5, redeem: 4, mistype: 0.3, revoke: 2, show: 1 })
    if (doing === 'show') await showToWallets(stage)
    else if (doing === 'create') await create(stage, stage.member())
    else if (doing === 'batch') await makeBatch(stage, stage.member())
    else if (doing === 'revoke') await revoke(stage)
    else if (stage.codes.length > 0)
      await redeem(stage, stage.member(), doing === 'mistype' ? 'ZZZZ9999' : stage.chance.one(stage.codes.slice(-10)))
  },
}

/** Makes a code for a member. Resolves to the code; undefined if it is refused, or not made yet. */
export async function create(stage: Stage, member: string, typedAmount?: string): Promise<string | undefined> {
  const recipient = stage.chance.happens(0.3) ? { id: stage.member(), bot: false } : undefined
  const amount = typedAmount ?? (stage.chance.happens(0.2) ? stage.amount() : String(stage.chance.between(1, 500)))
  const about = { accountSince: stage.accountSince(member), origin: stage.origin() }
  const command = { member, amount, ...about, ...(recipient ? { recipient } : {}) }
  const made = await stage.insist(`${member} makes a voucher of ${amount}`, ({ vouchers }) => vouchers.create(command))
  if (!('done' in made)) return undefined
  const { id, code, amount: shown, anyWallet } = made.done
  const typed = typedMsats(amount)
  if (typed !== undefined && shown !== typed) throw new Bug(`a voucher of ${amount} is one of ${shown} msats`)
  const { judge } = stage.world
  judge.shown.vouchers.add(id)
  judge.limits.gave(`the voucher ${id}`, member, shown, made.span)
  stage.vouchers.push({ id, member })
  if (code === undefined) return undefined
  judge.codes.set(code, shown)
  stage.codes.push(code)
  if (anyWallet !== undefined) offer(stage, id, shown, anyWallet)
  return code
}

/** Makes several codes for a member, looks at them, and sometimes takes the unredeemed ones back. */
async function makeBatch(stage: Stage, member: string): Promise<void> {
  const [count, each] = [stage.chance.between(1, 5), stage.chance.between(1, 60)]
  const days = stage.chance.happens(0.5) ? { days: 1 } : {}
  const about = { accountSince: stage.accountSince(member), origin: stage.origin() }
  const command = { member, amount: String(each), count, ...days, ...about }
  const made = await stage.insist(`${member} makes ${count} vouchers of ${each}`, ({ voucherBatches }) =>
    voucherBatches.create(command),
  )
  if (!('done' in made)) return
  const { judge } = stage.world
  const { id: batch, amount } = made.done
  judge.limits.gave(`the batch ${batch}`, member, amount * BigInt(count), made.span)
  const seen = await stage.insist<{ readonly id?: string; readonly codes: readonly BatchCode[] }>(
    `${member} looks at the codes of a batch`,
    async ({ voucherBatches }) => {
      const [mine] = await voucherBatches.mine(member, 1)
      if (mine === undefined) throw new Bug(`${member} made a batch, and has none`)
      return { codes: await voucherBatches.codes({ member, batch }) }
    },
  )
  if (!('done' in seen)) throw new Bug(`the codes of the batch ${batch} are not there`)
  if (seen.done.codes.length !== count) throw new Bug(`a batch of ${count} codes has ${seen.done.codes.length}`)
  for (const { id, code } of seen.done.codes) {
    judge.shown.vouchers.add(id)
    if (code === undefined) continue
    judge.codes.set(code, amount)
    stage.codes.push(code)
  }
  if (stage.chance.happens(0.7)) return
  await stage.insist(`${member} ends a batch`, ({ voucherBatches }) => voucherBatches.end({ member, batch }))
  await stage.insist('a batch is looked at', async ({ voucherBatches }) => {
    await voucherBatches.own({ member, batch })
    return await voucherBatches.view(batch)
  })
}

/** Offers a voucher of this many msats to any wallet, which gets the amount less the routing cost. */
export function offer(
  stage: Stage,
  voucher: string,
  amount: bigint,
  { request, amount: shown }: { readonly request: string; readonly amount: bigint },
): void {
  const worth = walletsShare(amount)
  if (shown !== worth)
    throw new Bug(`a wallet is to get ${shown} msats of a voucher of ${amount}, and should get ${worth}`)
  stage.claimables.push({ request, worth, limit: amount - worth, of: { voucher } })
}

/** Redeems a code for a member. */
export async function redeem(stage: Stage, member: string, code: string): Promise<void> {
  const command = { member, code, accountSince: stage.accountSince(member), origin: stage.origin() }
  const ending = await stage.insist(`${member} redeems ${code}`, ({ vouchers }) => vouchers.redeem(command))
  if (!('done' in ending)) return
  const { id, state, amount } = ending.done
  stage.world.judge.shown.redemptions.add(id)
  if (state === 'redeemed' || state === 'checking') stage.world.model.redeemed.set(id, { member, amount })
}

/** Shows a member the code that offers their voucher to any wallet. */
async function showToWallets(stage: Stage): Promise<void> {
  if (stage.vouchers.length === 0) return
  const { id: voucher, member } = stage.chance.one(stage.vouchers.slice(-10))
  const shown = await stage.insist<{ readonly id?: string; readonly amount: bigint; readonly arrives: bigint }>(
    `${member} shows a voucher to wallets`,
    ({ vouchers }) => vouchers.toAnyWallet({ member, voucher }).then(({ amount, arrives }) => ({ amount, arrives })),
  )
  if (!('done' in shown)) return
  const { amount, arrives } = shown.done
  if (arrives !== walletsShare(amount))
    throw new Bug(
      `a wallet is to get ${arrives} msats of a voucher of ${amount}, and should get ${walletsShare(amount)}`,
    )
}

async function revoke(stage: Stage): Promise<void> {
  if (stage.vouchers.length === 0) return
  const { id: voucher, member } = stage.chance.one(stage.vouchers.slice(-10))
  const command = { member, voucher, origin: stage.origin() }
  await stage.insist(`${member} takes a voucher back`, ({ vouchers }) => vouchers.revoke(command))
}
