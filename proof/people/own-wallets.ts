import type { Actor, Stage } from './people.ts'

/** Members who open their own wallet at the provider, and receive their tips there. */
export const ownWallets: Actor = {
  name: 'own wallets',
  weight: 1,
  async act(stage) {
    await ownWallet(stage, stage.member(), stage.chance.happens(0.7))
  },
}

/** Shows a member the way to their own wallet, opens one if necessary, and links it. */
export async function ownWallet(stage: Stage, member: string, links: boolean): Promise<void> {
  const { judge, users, serviceBook } = stage.world
  const command = { member, name: member, origin: stage.origin() }
  const opened = await stage.insist(`${member} opens their wallet`, ({ links }) =>
    links.openWallet(command).then(() => ({})),
  )
  if (!('done' in opened)) return
  const [user] = serviceBook.rows<{ id: string; gamertag: string }>(
    'SELECT "id", "gamertag" FROM "User" WHERE "reference" = ?',
    member,
  )
  if (user === undefined) return
  if (!users.includes(user.id)) {
    users.push(user.id)
    judge.names.begins(user.id, user.gamertag, opened.span.from)
  }
  if (links) await linkOwn(stage, member, user.id)
}

async function linkOwn(stage: Stage, member: string, user: string): Promise<void> {
  const { judge } = stage.world
  const command = { member, name: member, origin: stage.origin() }
  const ended = judge.links.begins(member, () => new Set([user]))
  const linking = stage.insist(`${member} links their own wallet`, ({ links }) =>
    links.linkOwnAccount(command).then(() => ({})),
  )
  const { span, ...ending } = await linking.finally(ended)
  const done = 'done' in ending
  if (!done && !span.again) return
  judge.forwards.said(member, null, span, !done)
  judge.links.proven(member, user, span, !done)
}
