import type { Actor, Stage } from '../people.ts'

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
  const { model } = stage.world
  const { request, amount } = ending.done
  stage.payables.push({ code: request, amount, credit: (arrived) => model.give(member, arrived) })
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
    const { model } = stage.world
    const { id, request } = ending.done
    const [row] = stage.world.botBook.rows<{ lightningId: string }>(
      'SELECT "lightningId" FROM "Invoice" WHERE "id" = ?',
      id,
    )
    const user = row?.lightningId ?? ''
    stage.invoices.push(id)
    stage.payables.push({ code: request, amount: undefined, credit: (arrived) => model.pay(user, arrived) })
  },
}
