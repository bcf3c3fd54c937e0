import { differences } from './differences.ts'
import {
  changeOfDecided,
  drops,
  giveaways,
  lostVouchers,
  pages,
  payouts,
  pools,
  tips,
  vouchers,
  withdrawals,
} from './ends.ts'
import type { Evidence } from './evidence.ts'
import { tipsByInvoice } from './invoiced-tips.ts'

/**
 * When everything has ended: both books, the Lightning network and what people did must agree to the msat. First each
 * record's end is held against its counterpart on the other side, and what it costs whom goes into the model; then what
 * everybody has is held against the model.
 */
export function lastProof(world: Evidence): string[] {
  const ends = [
    takenBack,
    arrivals,
    tips,
    tipsByInvoice,
    withdrawals,
    vouchers,
    drops,
    giveaways,
    pools,
    payouts,
    pages,
  ]
  const holdings = [members, users, stranger, wallets, node]
  return [...ends, ...holdings].flatMap((proof) => proof(world))
}

/** An answer that says that nothing happened is true. */
function takenBack({ botBook }: Evidence): string[] {
  return botBook
    .rows<{ verb: string; record: string }>(
      `SELECT o."verb", c."record" FROM "Card" c JOIN "Operation" o ON o."interaction" = c."record"
       WHERE c."kind" = 'interrupted' AND c."revision" > 1 AND o."verb" <> 'interrupted'`,
    )
    .map(({ verb, record }) => `the answer to ${record} was taken back, and its ${verb} was carried out`)
}

/** Income from outside belongs to its receiver. */
function arrivals({ model, serviceBook, shortfalls }: Evidence): string[] {
  return [...model.arrived].flatMap(([hash, { amount, credit }]) => {
    const [invoice] = serviceBook.rows<{ settledBy: string | null; status: string }>(
      'SELECT "settledBy", "status" FROM "Invoice" WHERE "paymentHash" = ?',
      hash,
    )
    if (invoice === undefined) return [`an invoice was paid that the service does not know: ${hash}`]
    // Paid inside the books at the same moment: what came from outside waits for the operator.
    if (invoice.settledBy === 'inside') {
      model.suspended += amount - shortfalls.of(hash)
      return []
    }
    // In full: what the node keeps for receiving is the operator's.
    credit(amount, model)
    return invoice.status === 'settled' ? [] : [`the invoice ${hash} was paid, and is ${invoice.status}`]
  })
}

/**
 * A member's balance here, with the sums that went on to their gamertag wallet, equals their receipts less their gifts.
 */
function members({ model, botBook }: Evidence): string[] {
  const accounts = botBook.rows<{ owner: string; balance: bigint }>(
    `SELECT "owner", "balance" FROM "Account" WHERE "kind" = 'member'`,
  )
  const onward = botBook.rows<{ member: string; amount: bigint }>(
    `SELECT "member", SUM("amount") AS amount FROM "Payout" WHERE "state" = 'paid' GROUP BY "member"`,
  )
  const has = new Map(accounts.map(({ owner, balance }) => [owner, balance]))
  for (const { member, amount } of onward) has.set(member, (has.get(member) ?? 0n) + amount)
  return differences(has, model.here, 'the member')
}

/** A user's wallet at the service holds what the bot paid out, and what others paid. */
function users({ model, serviceBook, users }: Evidence): string[] {
  const has = new Map(users.map((user) => [user, serviceBook.balance('wallet', `user:${user}`)]))
  return differences(has, model.users, 'the user')
}

function stranger({ model, serviceBook, projects, funded }: Evidence): string[] {
  const has = new Map([['stranger', serviceBook.balance('wallet', `project:${projects.stranger.id}`)]])
  return differences(has, new Map([['stranger', funded.stranger + model.stranger]]), 'the project')
}

/** The bot's books and its wallet agree to the msat, and nothing is left that nobody can explain. */
function wallets({ model, botBook, serviceBook, projects }: Evidence): string[] {
  const has = new Map([
    ["bot's wallet", serviceBook.balance('wallet', `project:${projects.bot.id}`)],
    ["servers' pools", [...botBook.balances(['pool']).values()].reduce((sum, balance) => sum + balance, 0n)],
    ["bot's suspense", botBook.balance('suspense', 'suspense')],
    ["service's suspense", serviceBook.balance('suspense', 'suspense')],
  ])
  const right = new Map([
    [
      "bot's wallet",
      unseenChange() +
        changeOfDecided({ botBook, serviceBook }) -
        botBook.balance('wallet', 'provider') -
        model.reserved,
    ],
    ["servers' pools", model.pool],
    ["service's suspense", model.suspended],
  ])
  return differences(has, right, 'the')

  /** A voucher that operators decided was counted with its whole fee limit: the audit finds the rest, and says so. */
  function unseenChange(): bigint {
    return lostVouchers(botBook).reduce((sum, { key, feeLimit }) => {
      const [answer] = serviceBook.rows<{ body: string }>('SELECT "body" FROM "IdempotencyKey" WHERE "key" = ?', key)
      return sum + feeLimit - BigInt(JSON.parse(answer?.body ?? '{}').data.fee)
    }, 0n)
  }
}

/** The node's balance by the service equals its funds and receipts, less its deductions and payments. */
function node({ serviceBook, lightning, funded, shortfalls }: Evidence): string[] {
  const [{ amount: received }] = lightning.rows<{ amount: bigint }>(
    `SELECT COALESCE(SUM(amount), 0) AS amount FROM arrival WHERE payee = 'ours'`,
  ) as [{ amount: bigint }]
  const [{ amount: paid }] = lightning.rows<{ amount: bigint }>(
    `SELECT COALESCE(SUM(amount + fee), 0) AS amount FROM payment WHERE payer = 'ours' AND state = 'paid'`,
  ) as [{ amount: bigint }]
  const has = new Map([['node', -serviceBook.balance('node', 'node')]])
  return differences(has, new Map([['node', funded.all + received - shortfalls.total - paid]]), 'the')
}
