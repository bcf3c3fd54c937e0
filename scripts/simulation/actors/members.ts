import { LedgerUnavailable } from '../../../src/ledger/ledger.ts'
import { createAdministration } from '../../../src/payments-service/administration.ts'
import { ServiceRefusal } from '../../../src/payments-service/service-refusal.ts'
import { Died } from '../mortal-database.ts'
import type { Actor } from '../people.ts'
import { Bug } from '../world.ts'

/** Members link, link again elsewhere, and unlink. */
export const links: Actor = {
  name: 'links',
  weight: 6,
  async act(stage) {
    const { links, names } = stage.world.judge
    const member = stage.member()
    const origin = stage.origin()
    if (stage.chance.happens(0.3)) {
      const ending = await stage.insist(`${member} unlinks`, (tipping) =>
        tipping.unlink({ member, origin }).then(nothing),
      )
      if ('done' in ending || ending.span.again) links.said(member, null, ending.span, !('done' in ending))
      return
    }
    const gamertag = `player${stage.chance.between(0, 7)}`
    const ending = await stage.insist(`${member} links ${gamertag}`, (tipping) =>
      tipping.link({ member, gamertag, origin }).then(({ lightningId }) => ({ id: lightningId })),
    )
    const { span } = ending
    const owners = names.ownersIn(gamertag, span)
    if (!('done' in ending)) {
      if (span.again) for (const user of owners) links.said(member, user, span, true)
      return
    }
    const { id: lightningId } = ending.done
    if (!owners.has(lightningId)) throw new Bug(`${member} linked ${gamertag}, and was bound to ${lightningId}`)
    links.said(member, lightningId, span)
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
    const claimed = await stage.insist(`${member} claims`, (tipping) => tipping.claim({ member, origin }))
    if ('done' in claimed) stage.world.judge.shown.claims.set(claimed.done.id, claimed.span)
  },
}

/** Users of the service take other names, also names that somebody has just left. */
export const renames: Actor = {
  name: 'renames',
  weight: 2,
  async act(stage) {
    const { service, users, judge } = stage.world
    const running = await service.up()
    const { database, ledger, clock, entropy, settings } = running.parts
    const administration = createAdministration({ database, ledger, clock, entropy, settings, sandbox: true })
    const gamertag = `player${stage.chance.between(0, 7)}`
    const user = stage.chance.one(users)
    const from = judge.now()
    const chosen = (doubtful: boolean) =>
      judge.names.chosen(user, gamertag, { from, to: judge.now(), again: false }, doubtful)
    const renamed = administration.renameUser(user, gamertag)
    await Promise.race([renamed, service.life.death]).then(
      () => {
        chosen(false)
        stage.note(`somebody is ${gamertag} now`)
      },
      (error: unknown) => {
        if (error instanceof Died) return chosen(true)
        if (!(error instanceof ServiceRefusal) && !(service.stopping && error instanceof LedgerUnavailable)) throw error
        stage.note(`nobody becomes ${gamertag}`)
      },
    )
  },
}

function nothing(): object {
  return {}
}
