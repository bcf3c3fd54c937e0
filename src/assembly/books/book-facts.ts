import { wallet } from '../../payments-service/core/chart-of-accounts.ts'
import type { PaymentsDatabase } from '../../payments-service/core/database.ts'
import type { TippingDatabase } from '../../tipping/core/database.ts'

/** What tells one book from another, and an empty one from one in use. */
export interface BookFacts {
  /** Nobody has used it: no entry, and nothing that comes before the first one. */
  readonly isNew: boolean
  /** The first entry of its journal, which never changes. */
  readonly first: string | undefined
}

export async function factsOfBotsBook({ read }: Pick<TippingDatabase, 'read'>): Promise<BookFacts> {
  const first = inWords(await read.entry.findFirst({ orderBy: { id: 'asc' } }))
  const isNew = first === undefined && (await read.opening.findFirst()) === null
  return { isNew, first }
}

export async function factsOfServicesBook({ read }: Pick<PaymentsDatabase, 'read'>): Promise<BookFacts> {
  const first = inWords(await read.entry.findFirst({ orderBy: { id: 'asc' } }))
  const isNew = first === undefined && (await read.project.count()) + (await read.user.count()) === 0
  return { isNew, first }
}

function inWords(entry: { operation: string; step: string; at: Date } | null): string | undefined {
  return entry === null ? undefined : `${entry.operation} ${entry.step} ${entry.at.toISOString()}`
}

/** What a project of the service shows of a bot that has used it: a clause; undefined where nothing does. */
export async function tracesOfBot(
  { read }: Pick<PaymentsDatabase, 'read'>,
  { projectId, sandbox }: { readonly projectId: string; readonly sandbox: boolean },
): Promise<string | undefined> {
  const where = { projectId }
  const counts = [
    await read.charge.count({ where }),
    await read.staticCharge.count({ where }),
    await read.withdrawalRequest.count({ where }),
    await read.voucher.count({ where }),
  ]
  if (counts.some((count) => count > 0)) return 'the bot’s project at the service has charges or codes'
  if (sandbox) return undefined
  const account = await read.account.findUnique({ where: { kind_owner: wallet({ kind: 'project', id: projectId }) } })
  return (account?.balance ?? 0n) > 0n ? 'the wallet of the bot’s project at the service holds sats' : undefined
}
