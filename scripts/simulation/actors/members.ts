import { LedgerUnavailable } from '../../../src/ledger/ledger.ts'
import { createAdministration } from '../../../src/payments-service/administration.ts'
import { Refusal } from '../../../src/payments-service/refusal.ts'
import { Died } from '../mortal-database.ts'
import type { Actor } from '../people.ts'

/** Members link, link again elsewhere, and unlink. */
export const links: Actor = {
  name: 'links',
  weight: 6,
  async act(stage) {
    const member = stage.member()
    const origin = stage.origin()
    if (stage.chance.happens(0.3)) {
      await stage.insist(`${member} unlinks`, (tipping) => tipping.unlink({ member, origin }).then(() => ({})))
      return
    }
    const gamertag = `player${stage.chance.between(0, 7)}`
    await stage.insist(`${member} links ${gamertag}`, (tipping) =>
      tipping.link({ member, gamertag, origin }).then(() => ({})),
    )
  },
}

/** Newcomers take what waits for them, or only look at their balance; from then on they use the bot. */
export const claims: Actor = {
  name: 'claims',
  weight: 5,
  async act(stage) {
    const member = stage.member()
    if (stage.chance.happens(0.5)) {
      await stage.insist(`${member} looks`, (tipping) => tipping.balance(member).then(() => ({})))
      return
    }
    const origin = stage.origin()
    await stage.insist(`${member} claims`, (tipping) => tipping.claim({ member, origin }))
  },
}

/** Users of the service take other names, also names that somebody has just left. */
export const renames: Actor = {
  name: 'renames',
  weight: 2,
  async act(stage) {
    const { service, users } = stage.world
    const running = await service.up()
    const { database, ledger, clock, entropy, settings } = running.parts
    const administration = createAdministration({ database, ledger, clock, entropy, settings, sandbox: true })
    const gamertag = `player${stage.chance.between(0, 7)}`
    const renamed = administration.renameUser(stage.chance.one(users), gamertag)
    await Promise.race([renamed, service.life.death]).then(
      () => stage.note(`somebody is ${gamertag} now`),
      (error: unknown) => {
        if (error instanceof Died) return
        if (!(error instanceof Refusal) && !(service.stopping && error instanceof LedgerUnavailable)) throw error
        stage.note(`nobody becomes ${gamertag}`)
      },
    )
  },
}
