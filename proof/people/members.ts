import { LedgerUnavailable } from '../../src/ledger/ledger.ts'
import { createAdministration } from '../../src/payments-service/administration/administration.ts'
import { ServiceRefusal } from '../../src/payments-service/core/service-refusal.ts'
import { Died } from '../world/crashing-database.ts'
import { isDatabaseAway } from '../world/database-away.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'

/** Members who link a wallet, change the link, and unlink. */
export const links: Actor = {
  name: 'links',
  weight: 6,
  async act(stage) {
    const member = stage.member()
    if (stage.chance.happens(0.3)) await unlink(stage, member)
    else await link(stage, member, `player${stage.chance.between(0, 7)}`)
  },
}

/** Unlinks a member, whose sats stay here from now on. */
export async function unlink(stage: Stage, member: string): Promise<void> {
  const { links, forwards, keepers } = stage.world.judge
  const origin = stage.origin()
  const ending = await stage.insist(`${member} unlinks`, (tipping) =>
    tipping.links.unlink({ member, origin }).then(nothing),
  )
  if (!('done' in ending) && !ending.span.again) return
  const doubtful = !('done' in ending)
  links.said(member, null, ending.span, doubtful)
  forwards.said(member, null, ending.span, doubtful)
  keepers.said(member, false, ending.span, doubtful)
}

/** Links a member to the owner of this gamertag. Resolves to that user; undefined if the link is refused. */
export async function link(stage: Stage, member: string, gamertag: string): Promise<string | undefined> {
  const { judge } = stage.world
  const { links, forwards, names } = judge
  const origin = stage.origin()
  const from = judge.now()
  const ended = links.begins(member, () => names.ownersIn(gamertag, { from, to: judge.now() }))
  const bound = new Set<string>()
  const linking = stage.insist(`${member} links ${gamertag}`, (tipping) =>
    tipping.links.link({ member, gamertag, origin }).then(({ lightningId }) => {
      bound.add(lightningId)
      return {}
    }),
  )
  const ending = await linking.finally(ended)
  const { span } = ending
  const owners = names.ownersIn(gamertag, span)
  if (!('done' in ending)) {
    if (!span.again) return undefined
    forwards.said(member, null, span, true)
    for (const user of owners) links.said(member, user, span, true)
    return undefined
  }
  forwards.said(member, null, span)
  // A doubled command may find two owners if the gamertag changed hands meanwhile.
  for (const lightningId of bound) {
    if (!owners.has(lightningId)) throw new Bug(`${member} linked ${gamertag}, and was bound to ${lightningId}`)
    links.said(member, lightningId, span)
  }
  return [...bound].at(-1)
}

/** Newcomers who claim their waiting sats, or only read their balance; either makes them users of the bot. */
export const claims: Actor = {
  name: 'claims',
  weight: 5,
  async act(stage) {
    const member = stage.member()
    if (stage.chance.happens(0.5)) await look(stage, member)
    else await claim(stage, member)
  },
}

/** Reads a member's balance, which must equal the book at that moment. */
export async function look(stage: Stage, member: string): Promise<void> {
  const { judge, botBook } = stage.world
  const looked = judge.balances.looks(botBook, member)
  const seen = await stage.insist<{ readonly id?: string; readonly available: bigint }>(`${member} looks`, (tipping) =>
    tipping.balances.view(member).then(({ available }) => ({ available })),
  )
  if ('done' in seen) looked(seen.done.available)
}

/** Claims a member's waiting sats. */
export async function claim(stage: Stage, member: string): Promise<void> {
  const origin = stage.origin()
  const claimed = await stage.insist(`${member} claims`, (tipping) => tipping.claims.take({ member, origin }))
  if ('done' in claimed) stage.world.judge.shown.claims.set(claimed.done.id, claimed.span)
}

/** Users of the service who take other names, including names that somebody has just given up. */
export const renames: Actor = {
  name: 'renames',
  weight: 2,
  async act(stage) {
    await rename(stage, stage.chance.one(stage.world.users), `player${stage.chance.between(0, 7)}`)
  },
}

/** Renames a user of the service to this gamertag, if it is free. */
export async function rename(stage: Stage, user: string, gamertag: string): Promise<void> {
  const { service, judge } = stage.world
  const running = await service.up()
  const { database, ledger, clock, entropy, settings } = running.parts
  const administration = createAdministration({ database, ledger, clock, entropy, settings, sandbox: true })
  const chosen = judge.names.chooses(user, gamertag, judge.now())
  const renamed = administration.renameUser(user, gamertag)
  await Promise.race([renamed, service.life.death]).then(
    () => {
      chosen('done', judge.now())
      stage.note(`somebody is ${gamertag} now`)
    },
    (error: unknown) => {
      chosen(error instanceof Died ? 'doubtful' : 'refused', judge.now())
      if (error instanceof Died || isDatabaseAway(error, stage.world.faults)) return
      if (!(error instanceof ServiceRefusal) && !(service.stopping && error instanceof LedgerUnavailable)) throw error
      stage.note(`nobody becomes ${gamertag}`)
    },
  )
}

function nothing(): object {
  return {}
}
