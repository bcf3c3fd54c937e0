import { AlreadyWritten, InsufficientFunds } from '../../ledger/ledger.ts'
import { formatSats, type Msats, msats } from '../../lib/money/amount.ts'
import { Problem } from '../../lib/problem.ts'
import type { Claim } from '../../lib/proofs/claim-list.ts'
import { member, OPERATOR, pool } from '../core/chart-of-accounts.ts'
import { type Book, type CoreContext, now, type ReadonlyBook } from '../core/context.ts'
import { raiseAlert } from '../engine/alerts/alerts.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import type { Adopted, WindDowns } from './wind-down.ts'

const BATCH_SIZE = 200

type List = Parameters<WindDowns['adopt']>[0]

/**
 * Credits each claim on another bot's list once, from the operator's own sats. The operation's name consists of the
 * list's signer and the claim's id, so the same list, or a longer one from the same book, can be read again. Throws
 * Problem for a list of this book or of a different network, and if the operator's own sats do not cover the claims.
 */
export async function adoptClaims(context: CoreContext, list: List): Promise<Adopted> {
  if ((await context.database.read.windDown.count({ where: { id: list.windDown } })) > 0) {
    throw new Problem(
      'This claim list comes from this book, which cannot credit its own claims. Give the list to the operator of the bot that takes over your members. Nothing was credited.',
    )
  }
  const network = await context.network.find(context)
  if (network !== list.network) {
    const advice =
      network === undefined
        ? 'the payments service has not said which network this book is for. Start the service, then run this command again'
        : `this book holds sats on the ${network} network. Run this command for a bot on the ${list.network} network`
    throw new Problem(`The claims are for sats on the ${list.network} network, but ${advice}. Nothing was credited.`)
  }
  const open = await notAdopted(context, list)
  const total = msats(open.reduce((sum, { amount }) => sum + amount, 0n))
  const own = await context.ledger.balance(OPERATOR)
  if (own < total) throw uncovered(msats(total - (own > 0n ? own : 0n)), msats(total))
  for (let from = 0; from < open.length; from += BATCH_SIZE) {
    await Promise.all(open.slice(from, from + BATCH_SIZE).map((claim) => credit(context, list, claim)))
  }
  const before = list.claims.length - open.length
  if (open.length > 0) await tellOperators(context, list, { count: open.length, amount: total, before })
  return { count: open.length, amount: total, before }
}

function uncovered(missing: Msats, total: Msats): Problem {
  const sats = formatSats(missing)
  return new Problem(
    `The operator's own sats do not cover these claims of ${formatSats(total)} sats: ${sats} sats are missing, and members' sats must not be used for the claims. Pay the missing sats into the bot's wallet (satchel admin project deposit SATS), book them (satchel admin book top-up SATS --reason "WHY"), and run this command again.`,
  )
}

/**
 * Returns the name of the operation that credits a claim here. The name includes the signer, so no other signer's list
 * can lead to the same operation.
 */
function operationOf({ signer }: List, { id }: Claim): string {
  return `adopted-${signer}-${id}`
}

async function notAdopted({ database }: ReadonlyBook, list: List): Promise<Claim[]> {
  const open: Claim[] = []
  for (let from = 0; from < list.claims.length; from += BATCH_SIZE) {
    const claims = list.claims.slice(from, from + BATCH_SIZE)
    const where = { id: { in: claims.map((claim) => operationOf(list, claim)) } }
    const done = new Set((await database.read.operation.findMany({ where, select: { id: true } })).map(({ id }) => id))
    open.push(...claims.filter((claim) => !done.has(operationOf(list, claim))))
  }
  return open
}

async function credit(context: Book, list: List, claim: Claim): Promise<void> {
  const [id, at] = [operationOf(list, claim), now(context)]
  const { kind, owner, amount } = claim
  const to = kind === 'pool' ? pool(owner) : member(owner)
  try {
    await context.commit({
      entries: [{ operation: id, step: 'post', moves: [{ from: OPERATOR, to, amount }] }],
      // Fees and losses may make the operator's balance negative. Gifts may not.
      solvent: [OPERATOR],
      rows: [operationRow({ id, verb: 'adopt', record: id, createdAt: at })],
      write: async (tx) => {
        if (kind === 'member') await noteMember(tx, owner, at)
      },
    })
  } catch (error) {
    if (error instanceof InsufficientFunds) throw uncovered(msats(error.missing), amount)
    // The same command runs twice at the same time.
    if (!(error instanceof AlreadyWritten)) throw error
  }
}

async function tellOperators(context: Book, list: List, { count, amount }: Adopted): Promise<void> {
  const text = `${count} claims of ${amount} msats together, of the book whose key is ${list.signer}, were credited out of the operator's own sats`
  const about = context.entropy.uuid()
  await context.commit({ write: (tx) => raiseAlert(context, tx, { kind: 'claims-adopted', about, text }) })
}
