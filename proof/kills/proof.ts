import { checkCover } from '../judge/cover.ts'
import type { Evidence } from '../judge/evidence.ts'
import { lastProof } from '../judge/last-proof.ts'
import { POOL } from '../judge/model.ts'
import { BOT_HOLDS, checkHolds, SERVICE_HOLDS } from '../judge/open-operations.ts'

/**
 * Queries for records that must have ended when the storm is over. Records that wait for people (open deposits, live
 * codes) may stay.
 */
export const OPEN_HERE: Readonly<Record<string, string>> = {
  payout: `SELECT "id" FROM "Payout" WHERE "state" IN ('reserved', 'sending', 'unknown')`,
  withdrawal: `SELECT "id" FROM "Withdrawal"
    WHERE "state" IN ('reserved', 'sending', 'unknown') OR ("state" = 'paid' AND "fee" IS NULL)`,
  voucher: `SELECT "id" FROM "Voucher" WHERE "state" IN ('reserved', 'sending', 'unknown')`,
  drop: `SELECT "id" FROM "Drop" WHERE "state" = 'open'`,
  deposit: `SELECT "id" FROM "Deposit" WHERE "state" = 'creating'`,
}
export const OPEN_THERE = `SELECT "id" FROM "Payment" WHERE "status" IN ('held', 'sending', 'unknown')`
/** Selects charges that were paid from outside and are in no balance yet. */
const UNCREDITED = `SELECT "id" FROM "StaticCharge" WHERE "slots" > 0 AND "internalId" IN (SELECT value FROM json_each(?))`

const NONE: ReadonlySet<string> = new Set()

/**
 * Describes the operations that have not ended, each in a few words. Leaves out operations whose payment's hash is in
 * `stuck`: these payments hang at the node.
 */
export function openOperations(evidence: Evidence, stuck = NONE): string[] {
  const { botBook, serviceBook } = evidence
  const excused = new Set(paymentsOf(evidence, stuck).flatMap(({ id, internalId }) => [id, internalId]))
  const waiting = botBook.rows<{ id: string }>('SELECT "id" FROM "Deposit" WHERE "credited" = 0').map(({ id }) => id)
  return [
    ...Object.entries(OPEN_HERE).flatMap(([noun, sql]) => named(`the bot's ${noun}`, rest(botBook.rows<Named>(sql)))),
    ...named("the service's payment", rest(serviceBook.rows<Named>(OPEN_THERE))),
    ...named('an uncredited deposit, charge', serviceBook.rows<Named>(UNCREDITED, JSON.stringify(waiting))),
  ]

  function rest(rows: readonly Named[]): Named[] {
    return rows.filter(({ id }) => !excused.has(id))
  }
}

interface StuckPayment {
  readonly id: string
  readonly internalId: string
  readonly reserved: bigint
}

function paymentsOf({ serviceBook }: Evidence, hashes: ReadonlySet<string>): StuckPayment[] {
  return serviceBook.rows<StuckPayment>(
    `SELECT "id", "internalId", "amount" + "maxFee" AS reserved FROM "Payment"
      WHERE "status" IN ('sending', 'unknown') AND "paymentHash" IN (SELECT value FROM json_each(?))`,
    JSON.stringify([...hashes]),
  )
}

interface Named {
  readonly id: string
}

function named(what: string, rows: readonly Named[]): string[] {
  return rows.map(({ id }) => `${what} ${id}`)
}

/**
 * Proves both books, each operation's end on both sides, and everybody's balance, from the records and the network. A
 * payment whose hash is in `stuck` hangs at the node, and stays reserved on both sides.
 */
export function proofAfterStorm(evidence: Evidence, stuck = NONE): string[] {
  const { botBook, serviceBook, projects } = evidence
  fillModel(evidence)
  reserveStuck(evidence, stuck)
  return [
    ...botBook.checkAll(),
    ...serviceBook.checkAll(),
    ...checkHolds(botBook, ['held', 'pot'], BOT_HOLDS, 'bot'),
    ...checkHolds(serviceBook, ['in_flight', 'voucher_escrow'], SERVICE_HOLDS, 'service'),
    ...checkCover(botBook, serviceBook, projects.bot.id),
    ...lastProof(evidence),
  ]
}

/**
 * Notes in the model that payments which never end stay reserved: nothing returns to the member or the project, so that
 * the bot's wallet has less.
 */
function reserveStuck(evidence: Evidence, stuck: ReadonlySet<string>): void {
  for (const { internalId, reserved } of paymentsOf(evidence, stuck)) {
    const [withdrawal] = evidence.botBook.rows<{ member: string; held: bigint }>(
      `SELECT "member", "amount" + "feeLimit" AS held FROM "Withdrawal" WHERE "id" = ?`,
      internalId,
    )
    if (withdrawal === undefined) continue
    evidence.model.give(withdrawal.member, -withdrawal.held)
    evidence.model.reserved += reserved
  }
}

/**
 * Adds people's gifts and receipts to the model: tips and drops by the bot's records, which `forgotten` compares with
 * people's answers, and deposits by the node's receipts. The model already has the rewards that programs were told
 * about.
 */
function fillModel({ botBook, serviceBook, lightning, model, projects }: Evidence): void {
  const shares = botBook.rows<{ sender: string; recipient: string; amount: bigint; state: string }>(
    'SELECT t."sender", s."recipient", s."amount", s."state" FROM "TipShare" s JOIN "Tip" t ON t."id" = s."tipId" WHERE t."pool" IS NULL',
  )
  for (const { sender, recipient, amount, state } of shares) {
    model.give(sender, -amount)
    if (state === 'returned') model.give(sender, amount)
    else if (state !== 'parked') model.give(recipient, amount)
  }
  const drops = botBook.rows<{ id: string; member: string; share: bigint; shares: bigint }>('SELECT * FROM "Drop"')
  for (const { id, member: owner, share, shares } of drops) {
    model.drops.set(id, { owner, share, shares, draw: false, codes: false })
  }
  const claims = botBook.rows<{ dropId: string; member: string; share: bigint }>(
    'SELECT c."dropId", c."member", d."share" FROM "DropClaim" c JOIN "Drop" d ON d."id" = c."dropId"',
  )
  for (const { dropId, member, share } of claims) model.given.set(`${dropId} ${member}`, share)
  const arrivals = lightning.rows<{ paymentHash: string; amount: bigint }>(
    `SELECT paymentHash, amount FROM arrival WHERE payee = 'ours'`,
  )
  for (const { paymentHash, amount } of arrivals) {
    const [charge] = serviceBook.rows<{ id: string }>(
      'SELECT "internalId" AS id FROM "StaticCharge" WHERE "id" = (SELECT "resourceId" FROM "Invoice" WHERE "paymentHash" = ?)',
      paymentHash,
    )
    const [receiver] = botBook.rows<{ member: string }>(RECEIVER, charge?.id, charge?.id)
    const isStrangers = charge === undefined && payeeOf(serviceBook, paymentHash) === projects.stranger.id
    const credit = (arrived: bigint) => {
      if (isStrangers) model.stranger += arrived
      else model.give(receiver?.member ?? 'nobody', arrived)
    }
    model.arrived.set(paymentHash, { amount, credit })
  }
}

/** Selects the recipient of one of the bot's charges. */
const RECEIVER = `SELECT "member" FROM "Deposit" WHERE "id" = ?
  UNION ALL SELECT '${POOL}' AS "member" FROM "Fundraiser" WHERE "id" = ?`

function payeeOf(serviceBook: Evidence['serviceBook'], paymentHash: string): string | undefined {
  const sql = 'SELECT "payeeId" AS id FROM "Invoice" WHERE "paymentHash" = ?'
  return serviceBook.rows<Named>(sql, paymentHash)[0]?.id
}
