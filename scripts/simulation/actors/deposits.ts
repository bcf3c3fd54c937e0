import type { Credit } from '../judge/holdings.ts'
import { typedMsats } from '../judge/promises.ts'
import type { Actor, Stage } from '../people.ts'
import { Bug } from '../world.ts'

/** Members ask for a code to fill their balance by. */
export const deposits: Actor = {
  name: 'deposits',
  weight: 6,
  async act(stage) {
    await deposit(stage, stage.member(), stage.chance.between(1, 5_000))
  },
}

/** Asks for a code to pay so many sats by; it lies among the payables afterwards. */
export async function deposit(stage: Stage, member: string, sats: number): Promise<void> {
  const command = { member, amount: String(sats), origin: stage.origin() }
  const ending = await stage.insist(`${member} deposits ${sats}`, (tipping) => tipping.deposit(command))
  if (!('done' in ending)) return
  const { request, amount } = ending.done
  if (amount !== typedMsats(String(sats))) throw new Bug(`a deposit of ${sats} is one of ${amount} msats`)
  stage.payables.push({ code: request, amount, credit: (arrived, holdings) => holdings.give(member, arrived) })
}

/** Members ask for sats to their own gamertag. */
export const invoices: Actor = {
  name: 'invoices',
  weight: 4,
  async act(stage) {
    const member = stage.member()
    const sats = stage.chance.between(1, 2_000)
    const origin = stage.origin()
    const command = { member, amount: String(sats), expiresInMinutes: stage.chance.between(1, 5), origin }
    const ending = await stage.insist(`${member} asks for ${sats}`, (tipping) => tipping.invoice(command))
    if (!('done' in ending)) return
    const { id, request, amount } = ending.done
    if (amount !== typedMsats(String(sats))) throw new Bug(`a request for ${sats} is one for ${amount} msats`)
    const [row] = stage.world.botBook.rows<{ lightningId: string }>(
      'SELECT "lightningId" FROM "Invoice" WHERE "id" = ?',
      id,
    )
    const user = row?.lightningId ?? ''
    // Of several links that were changed while it was asked for, the record says which one it was.
    if (!stage.world.judge.links.usersIn(member, ending.span).has(user))
      throw new Bug(`the request of ${member} pays ${user}, to whom ${member} is not linked`)
    const credit: Credit = (arrived, holdings) => holdings.pay(user, arrived)
    const payable = { code: request, amount: undefined, credit }
    stage.invoices.push({ id, amount: String(sats), payable })
    stage.payables.push(payable)
  },
}
