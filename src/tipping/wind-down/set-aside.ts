import { createHash } from 'node:crypto'
import { AlreadyWritten, InsufficientFunds } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { Problem } from '../../lib/problem.ts'
import type { Claim } from '../../lib/proofs/claim-list.ts'
import { held, heldOfPool, member, pool } from '../core/chart-of-accounts.ts'
import { type Book, now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Account } from '../generated/client.ts'
import { underWay } from './attempts.ts'
import { tellAgain } from './decide.ts'
import { isAnythingToPay } from './run-rounds.ts'
import { currentWindDown } from './view-wind-down.ts'
import type { ClaimsOfBook } from './wind-down.ts'

const BATCH_SIZE = 200

/**
 * Sets aside, to the msat, what no round can pay: the rests of balances, and servers' pools. From then on nobody can
 * spend these sums here, because a successor may owe them. A repeated call adds what has come since. Throws Problem
 * while there is something to pay.
 */
export async function setAside(context: TippingContext): Promise<ClaimsOfBook> {
  const { read } = context.database
  const current = await currentWindDown(read)
  if (current === undefined || current.state === 'proposed') {
    throw new Problem(
      'No wind-down has begun, so there is no claim list. Begin a wind-down (satchel wind-down --by 2030-01-31), or let a second operator confirm the one that is proposed.',
    )
  }
  const { id, by, round, state } = current
  if (context.clock.now() < by.getTime()) {
    throw new Problem(
      `The bot pays balances out from ${by.toISOString()} on. The claim list is for what is left after that. Keep the bot running, and run this command again after that time.`,
    )
  }
  const moving = await underWay(read)
  if (state === 'on' && (round === 0 || moving > 0 || (await isAnythingToPay(context, id)))) {
    const what =
      moving > 0
        ? `payments are still under way (${moving}, including codes that nobody has scanned)`
        : 'some balances have not been paid out yet'
    throw new Problem(
      `The rounds are not over: ${what}. Keep the bot running. To see how far along the wind-down is, run satchel wind-down.`,
    )
  }
  const network = await context.network.find(context)
  if (network === undefined)
    throw new Problem(
      'The payments service has not said which network these sats are on. Start the service, then run this command again. Nothing was listed.',
    )
  for (let left = await accountsLeft(context); left.length > 0; left = await accountsLeft(context)) {
    await Promise.all(left.map((account) => claim(context, id, account)))
  }
  await context.commit({
    write: async (tx) => {
      await mustStillEnd(tx, id)
      const { count } = await tx.windDown.updateMany({ where: { id, state: 'on' }, data: { state: 'listed' } })
      if (count > 0) await tellAgain(context, tx, id)
    },
  })
  return { windDown: id, network, claims: await claimsOf(context, id) }
}

/**
 * Checks that no operator has stopped the wind-down meanwhile. Sums set aside for a stopped wind-down would never be on
 * a list.
 */
async function mustStillEnd(tx: Tx, id: string): Promise<void> {
  if ((await tx.windDown.count({ where: { id, state: { in: ['on', 'listed'] } } })) === 1) return
  throw new Problem(
    'The wind-down was stopped in the meantime: balances stay where they are, and there is no claim list.',
  )
}

function accountsLeft({ database }: ReadonlyBook): Promise<Account[]> {
  const where = { kind: { in: ['member', 'pool'] }, balance: { gt: 0n } }
  return database.read.account.findMany({ where, orderBy: { id: 'asc' }, take: BATCH_SIZE })
}

/**
 * Returns the id of an owner's claim in a wind-down: always the same UUID (version 8, RFC 9562) for the same `ordinal`,
 * which counts that owner's claims from 0. A book restored from a backup lists its members again, and a successor
 * credits no id twice.
 */
export function claimIdOf(
  windDownId: string,
  { kind, owner }: Pick<Account, 'kind' | 'owner'>,
  ordinal: number,
): string {
  const text = JSON.stringify(['claim', windDownId, kind, owner, ordinal])
  const hash = createHash('sha256').update(text).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

async function claim(
  context: Book,
  windDownId: string,
  { kind, owner, balance }: Pick<Account, 'kind' | 'owner' | 'balance'>,
): Promise<void> {
  const before = await context.database.read.windDownClaim.count({ where: { windDownId, kind, owner } })
  const [id, createdAt] = [claimIdOf(windDownId, { kind, owner }, before), now(context)]
  const way = kind === 'pool' ? { from: pool(owner), to: heldOfPool(owner) } : { from: member(owner), to: held(owner) }
  const change = {
    entries: [{ operation: id, step: 'reserve', moves: [{ ...way, amount: msats(balance) }] }],
    rows: [operationRow({ id, verb: 'wind-down', record: id, createdAt })],
    // An operator who stops it in the same transaction must see the claim, but rows are written last.
    write: async (tx: Tx) => {
      await mustStillEnd(tx, windDownId)
      await tx.windDownClaim.create({ data: { id, windDownId, kind, owner, amount: balance, createdAt } })
    },
  }
  await context.commit(change).catch((error: unknown) => {
    // It was just spent, or somebody else listed it, so it is checked again.
    if (!(error instanceof InsufficientFunds || error instanceof AlreadyWritten)) throw error
  })
}

async function claimsOf({ database }: ReadonlyBook, windDownId: string): Promise<Claim[]> {
  const claims = await database.read.windDownClaim.findMany({ where: { windDownId }, orderBy: { id: 'asc' } })
  return claims.map(({ id, kind, owner, amount }) => ({
    id,
    kind: kind as Claim['kind'],
    owner,
    amount: msats(amount),
  }))
}
