import { sats } from '../../../src/lib/money/amount.ts'
import { whilePaused } from '../administration.ts'
import { keep } from '../forwarding.ts'
import { look, rename } from '../members.ts'
import type { Stage } from '../people.ts'
import { tip } from '../tips.ts'
import { create, redeem } from '../vouchers.ts'
import { withdraw } from '../withdrawals.ts'
import { type Chapter, fund, linkSomewhere, members, wait } from './chapter.ts'

/** An answer is lost on each way out of the bot: the request is carried out, and nobody is told. */
export const lostAnswers: Chapter = async (stage) => {
  const [from, to] = members(stage, 2) as [string, string]
  if (!(await fund(stage, from, 3_000))) return
  if ((await linkSomewhere(stage, to)) !== undefined)
    await losing(stage, '/v0/gamertag/send-payment', '"receiverId"', () =>
      tip(stage, from, { typed: String(stage.chance.between(20, 300)), split: false, to: [to] }),
    )
  const { amount, where } = outside(stage)
  await losing(stage, '/v0/payments', where.to, () => withdraw(stage, from, amount, where, 'yes'))
  const code = await create(stage, from)
  if (code !== undefined) await losing(stage, '/v0/redeem-voucher', code, () => redeem(stage, to, code))
  await losing(stage, '/v1/create-voucher', '', () => create(stage, from))
}

async function losing(stage: Stage, path: string, within: string, act: () => Promise<unknown>): Promise<void> {
  const fate = stage.chance.one(['broken-after', 'half'] as const)
  const over = stage.world.network.expect({ what: `POST ${path}`, within, fate })
  await act()
  await wait(stage, 1_000)
  over()
}

function outside(stage: Stage) {
  const amount = stage.chance.between(50, 400)
  const { invoice } = stage.world.sandbox.outside.createInvoice({ amount: sats(amount) })
  return { amount: String(amount), where: { to: invoice, credit: undefined, gamertag: undefined } }
}

/**
 * A gamertag changes hands while a payout to its owner is in flight: the sats must not reach the gamertag's new owner.
 */
export const namesChangeHands: Chapter = async (stage) => {
  const { network, serviceBook, users } = stage.world
  const [from, to] = members(stage, 2) as [string, string]
  if (!(await fund(stage, from, 500))) return
  const user = await linkSomewhere(stage, to)
  if (user === undefined) return
  const over = network.expect({
    what: 'POST /v0/gamertag/send-payment',
    within: `"receiverId":"${user}"`,
    async meanwhile() {
      const [named] = serviceBook.rows<{ gamertag: string }>('SELECT "gamertag" FROM "User" WHERE "id" = ?', user)
      if (named === undefined) return
      await rename(stage, user, `other${stage.count()}`)
      await rename(stage, stage.chance.one(users.filter((other) => other !== user)), named.gamertag)
    },
  })
  await tip(stage, from, { typed: String(stage.chance.between(5, 300)), split: false, to: [to] })
  await wait(stage, 1_000)
  over()
}

/** A member cancels a withdrawal, and then presses the button that confirms it. */
export const afterNo: Chapter = async (stage) => {
  const [from] = members(stage, 1) as [string]
  if (!(await fund(stage, from, 1_000))) return
  const { amount, where } = outside(stage)
  await withdraw(stage, from, amount, where, 'no, then yes')
}

/** A member reads their balance while much of it is in flight. */
export const onItsWay: Chapter = async (stage) => {
  const [from] = members(stage, 1) as [string]
  if (!(await fund(stage, from, 9_000))) return
  const code = { to: undefined, credit: undefined, gamertag: undefined }
  for (const [least, most] of [
    [100, 699],
    [700, 799],
  ] as const)
    await withdraw(stage, from, String(stage.chance.between(least, most)), code, 'yes')
  await look(stage, from)
}

/** A linked member keeps everything here for a while, and is tipped meanwhile and afterwards. */
export const keepsHere: Chapter = async (stage) => {
  const [from, to] = members(stage, 2) as [string, string]
  if (!(await fund(stage, from, 500)) || (await linkSomewhere(stage, to)) === undefined) return
  for (const keeps of [true, false]) {
    await keep(stage, to, keeps)
    await wait(stage, 1_000)
    await tip(stage, from, { typed: String(stage.chance.between(5, 100)), split: false, to: [to] })
  }
}

/** A member makes many codes to scan, all open at the same time. */
export const manyCodes: Chapter = async (stage) => {
  const [from] = members(stage, 1) as [string]
  if (!(await fund(stage, from, 1_000))) return
  const code = { to: undefined, credit: undefined, gamertag: undefined }
  const amounts = Array.from({ length: 6 }, () => String(stage.chance.between(20, 90)))
  await Promise.all(amounts.map((amount) => withdraw(stage, from, amount, code, 'yes')))
}

/**
 * Operators pause outgoing payments at one of two bots. In the next seconds, a member whose tips would be paid out is
 * tipped, at either bot.
 */
export const pausedElsewhere: Chapter = async (stage) => {
  const [from, to] = members(stage, 2) as [string, string]
  if (!(await fund(stage, from, 500)) || (await linkSomewhere(stage, to)) === undefined) return
  await whilePaused(stage, async () => {
    for (let tips = 0; tips < 5; tips += 1) {
      await wait(stage, 1_000)
      await tip(stage, from, { typed: String(stage.chance.between(5, 50)), split: false, to: [to] })
    }
  })
}
