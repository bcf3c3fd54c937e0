import { createHash } from 'node:crypto'
import { type Book, now, type ReadonlyBook } from '../core/context.ts'
import { noteMember } from '../engine/members/note-member.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { RoleConnection } from '../generated/client.ts'
import type { ConnectedRoles, LinkedRoles, RoleFigures } from './linked-roles.ts'
import { figuresOf, writeFigures } from './role-figures.ts'

/** The interval at which figures are compared with those at Discord, and sent if they have changed. */
const COMPARE_EVERY_MS = 60 * 60_000

/** Manages the connections of members who let Discord show their gifts. */
export function createLinkedRoles(context: TippingContext): LinkedRoles {
  const { database, roleConnections } = context
  return {
    offered: context.wallets.connections.offered,
    useAttempt: (attempt) => useAttempt(context, attempt),
    connect: (command) => connect(context, command),
    async mine(member) {
      const row = await database.read.roleConnection.findUnique({ where: { member } })
      return row === null ? undefined : { since: row.createdAt }
    },
    takeDue: (most) => takeDue(context, most),
    renewed: (renewal) => renewed(context, renewal),
    told: (news) => told(context, news),
    async end(id) {
      await context.commit({ write: async (tx) => void (await tx.roleConnection.deleteMany({ where: { id } })) })
    },
    async disconnect(member) {
      const row = await context.commit({ write: (tx) => roleConnections.forget(tx, member) })
      roleConnections.forgotten(row)
      return row !== undefined
    },
    onForgotten: (listener) => roleConnections.hear(listener),
  }
}

/**
 * Marks an attempt as used, and returns false if it already was. The rows of expired attempts are deleted, because an
 * expired attempt is refused before this check.
 */
async function useAttempt(
  context: Book,
  { secret, until }: { readonly secret: string; readonly until: Date },
): Promise<boolean> {
  const hash = createHash('sha256').update(secret).digest('base64url')
  return await context.commit({
    write: async (tx) => {
      await tx.consentAttempt.deleteMany({ where: { endsAt: { lte: new Date(context.clockWatch.latest() - 60_000) } } })
      if ((await tx.consentAttempt.findUnique({ where: { hash } })) !== null) return false
      await tx.consentAttempt.create({ data: { hash, endsAt: until } })
      return true
    },
  })
}

async function connect(
  context: TippingContext,
  { member, tokens }: { readonly member: string; readonly tokens: string },
): Promise<ConnectedRoles> {
  const id = context.entropy.uuid()
  const createdAt = now(context)
  const nextAt = new Date(createdAt.getTime() + COMPARE_EVERY_MS)
  const row = await context.commit({
    write: async (tx) => {
      await noteMember(tx, member, createdAt)
      await tx.roleConnection.deleteMany({ where: { member } })
      // Inside the transaction, so that a rotation of the key comes before or after.
      const sealed = context.roleConnections.seal(tokens, id)
      return await tx.roleConnection.create({ data: { member, id, sealed, nextAt, createdAt } })
    },
  })
  return await view(context, row, tokens)
}

/** Takes due connections in one transaction, so that each connection goes to only one process. */
async function takeDue(context: TippingContext, most: number): Promise<readonly ConnectedRoles[]> {
  const at = now(context)
  const due = { where: { nextAt: { lte: at } }, orderBy: { nextAt: 'asc' }, take: most } as const
  if ((await context.database.read.roleConnection.findFirst({ where: due.where, select: { id: true } })) === null)
    return []
  const rows = await context.commit({
    write: async (tx) => {
      const taken = await tx.roleConnection.findMany(due)
      const nextAt = new Date(at.getTime() + COMPARE_EVERY_MS)
      await tx.roleConnection.updateMany({ where: { id: { in: taken.map(({ id }) => id) } }, data: { nextAt } })
      return taken
    },
  })
  const views = rows.map(async (row) => {
    const tokens = context.roleConnections.open(row)
    return tokens === undefined ? [] : [await view(context, row, tokens)]
  })
  return (await Promise.all(views)).flat()
}

async function view(context: ReadonlyBook, row: RoleConnection, tokens: string): Promise<ConnectedRoles> {
  const figures = await figuresOf(context, row.member, row.createdAt)
  return { id: row.id, tokens, figures, isShown: row.shown === writeFigures(figures) }
}

async function renewed(
  context: TippingContext,
  { id, tokens }: { readonly id: string; readonly tokens: string },
): Promise<boolean> {
  const write: Parameters<typeof context.commit<boolean>>[0]['write'] = async (tx) => {
    const sealed = context.roleConnections.seal(tokens, id)
    return (await tx.roleConnection.updateMany({ where: { id }, data: { sealed } })).count === 1
  }
  return await context.commit({ write })
}

async function told(
  context: Book,
  { id, figures }: { readonly id: string; readonly figures: RoleFigures },
): Promise<void> {
  const data = { shown: writeFigures(figures) }
  await context.commit({ write: async (tx) => void (await tx.roleConnection.updateMany({ where: { id }, data })) })
}
