import { wallet } from '../../payments-service/core/chart-of-accounts.ts'
import type { PaymentsDatabase } from '../../payments-service/core/database.ts'
import type { TippingDatabase } from '../../tipping/core/database.ts'

/** Facts that distinguish one book from another, and an empty book from a used one. */
export interface BookFacts {
  /** Whether nobody has used the book: it has no entry, and nothing that would precede its first entry. */
  readonly isNew: boolean
  /** Whether a process has worked on the book. */
  readonly hasRun: boolean
  /** The journal's first entry, which never changes; undefined if the journal is empty. */
  readonly first: string | undefined
}

export async function factsOfBotsBook({ read }: Pick<TippingDatabase, 'read'>): Promise<BookFacts> {
  const first = inWords(await read.entry.findFirst({ orderBy: { id: 'asc' } }))
  const isNew = first === undefined && (await read.opening.findFirst()) === null
  return { isNew, hasRun: (await read.lease.findFirst()) !== null, first }
}

export async function factsOfServicesBook({ read }: Pick<PaymentsDatabase, 'read'>): Promise<BookFacts> {
  const first = inWords(await read.entry.findFirst({ orderBy: { id: 'asc' } }))
  const isNew = first === undefined && (await read.project.count()) + (await read.user.count()) === 0
  return { isNew, hasRun: (await read.lease.findFirst()) !== null, first }
}

function inWords(entry: { operation: string; step: string; at: Date } | null): string | undefined {
  return entry === null ? undefined : `${entry.operation} ${entry.step} ${entry.at.toISOString()}`
}

/** Returns the name of a project that has charges, codes or sats; undefined if no project has any. */
export async function projectInUse({ read }: Pick<PaymentsDatabase, 'read'>): Promise<string | undefined> {
  const select = { projectId: true } as const
  const used = [
    await read.charge.findFirst({ where: { projectId: { not: null } }, select }),
    await read.staticCharge.findFirst({ select }),
    await read.withdrawalRequest.findFirst({ select }),
    await read.voucher.findFirst({ select }),
  ].find((each) => each !== null)
  const whose = wallet({ kind: 'project', id: '' })
  const full = { kind: whose.kind, owner: { startsWith: whose.owner }, balance: { gt: 0 } }
  const id = used?.projectId ?? (await read.account.findFirst({ where: full }))?.owner.slice(whose.owner.length)
  return id === undefined ? undefined : (await read.project.findUnique({ where: { id } }))?.name
}
