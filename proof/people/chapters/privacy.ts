import { turns } from '../../world/wait-until-idle.ts'
import { openDrop, pressDrop } from '../drops.ts'
import { addressOf, forward } from '../forwarding.ts'
import { claim, link } from '../members.ts'
import { exportData, forget } from '../privacy.ts'
import { tip } from '../tips.ts'
import { type Chapter, fund, linkSomewhere, members, newcomer, wait } from './chapter.ts'

const FORWARDED_WITHIN_MS = 5_000

/** A member moves to another address while a tip is about to be forwarded to the old one. */
export const movedAddresses: Chapter = async (stage) => {
  const [from, to] = members(stage, 2) as [string, string]
  if (!(await fund(stage, from, 1_000))) return
  const [old, other] = [addressOf(`${to}.old`), addressOf(`${to}.new`)]
  for (const [before, after] of [
    [old, other],
    [other, old],
  ] as const) {
    if (!(await forward(stage, to, before))) continue
    const over = stage.world.network.expect({
      what: `GET /.well-known/lnurlp/${before.split('@')[0]}`,
      within: '',
      // The first request asks the address for its terms, so a move may still be in time.
      async meanwhile() {
        void turns(stage.chance.between(0, 40)).then(() => forward(stage, to, after))
      },
    })
    await tip(stage, from, { typed: String(stage.chance.between(100, 300)), split: false, to: [to] })
    await wait(stage, FORWARDED_WITHIN_MS)
    over()
  }
}

/** A member whose tips are forwarded has their data deleted, and later takes a tip, whose sats must stay here. */
export const forgottenAddresses: Chapter = async (stage) => {
  const [from, to] = members(stage, 2) as [string, string]
  if (!(await fund(stage, from, 1_000)) || !(await forward(stage, to, addressOf(to)))) return
  await forget(stage, to)
  await exportData(stage, to)
  await tip(stage, from, { typed: String(stage.chance.between(100, 300)), split: false, to: [to] })
  await claim(stage, to)
  await wait(stage, FORWARDED_WITHIN_MS)
}

/**
 * A member takes a share and has their data deleted; then the member presses again, and so does the next owner of their
 * wallet.
 */
export const forgottenWallets: Chapter = async (stage) => {
  const [owner] = members(stage, 1) as [string]
  const [one, other] = [newcomer(stage), newcomer(stage)]
  if (!(await fund(stage, owner, 600))) return
  const user = await linkSomewhere(stage, one)
  if (user === undefined) return
  const draw = stage.chance.happens(0.3)
  const drop = await openDrop(stage, { member: owner, amount: '90', shares: 3, minutes: 5, draw })
  if (drop === undefined) return
  await pressDrop(stage, drop, one)
  await forget(stage, one)
  await exportData(stage, one)
  const [named] = stage.world.serviceBook.rows<{ gamertag: string }>(
    'SELECT "gamertag" FROM "User" WHERE "id" = ?',
    user,
  )
  if (named !== undefined && (await link(stage, other, named.gamertag)) === user) await pressDrop(stage, drop, other)
  await pressDrop(stage, drop, one)
}
