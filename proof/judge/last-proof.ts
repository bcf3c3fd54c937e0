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
 * The final proof: both books, the Lightning network and people's actions must agree to the msat. First it compares
 * each record's end with its counterpart on the other side, and adds the cost to the model; then it compares
 * everybody's balance with the model.
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

/** Checks answers that say that nothing happened. */
function takenBack({ botBook }: Evidence): string[] {
  return botBook
    .rows<{ verb: string; record: string }>(
      `SELECT o."verb", c."record" FROM "Card" c JOIN "Operation" o ON o."interaction" = c."record"
       WHERE c."kind" = 'interrupted' AND c."revision" > 1 AND o."verb" <> 'interrupted'`,
    )
    .map(({ verb, record }) => `the answer to ${record} was taken back, and its ${verb} was carried out`)
}

/** Checks that income from outside belongs to its receiver. */
function arrivals({ model, serviceBook, shortfalls }: Evidence): string[] {
  return [...model.arrived].flatMap(([hash, { amount, credit }]) => {
    const [invoice] = serviceBook.rows<{ settledBy: string | null; status: string }>(
      'SELECT "settledBy", "status" FROM "Invoice" WHERE "paymentHash" = ?',
      hash,
    )
    if (invoice === undefined) return [`an invoice was paid that the service does not know: ${hash}`]
    // The invoice was also paid inside the books, so the income from outside waits for the operator.
    if (invoice.settledBy === 'inside') {
      model.suspended += amount - shortfalls.of(hash)
      return []
    }
    // In full: the operator bears what the node keeps for receiving.
    credit(amount, model)
    return invoice.status === 'settled' ? [] : [`the invoice ${hash} was paid, and is ${invoice.status}`]
  })
}

/**
 * Checks that a member's balance here, plus the sums that went to their gamertag wallet, equals their receipts less
 * their gifts.
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

/** Checks that a user's wallet at the service holds the bot's payouts and others' payments. */
function users({ model, serviceBook, users }: Evidence): string[] {
  const has = new Map(users.map((user) => [user, serviceBook.balance('wallet', `user:${user}`)]))
  return differences(has, model.users, 'the user')
}

function stranger({ model, serviceBook, projects, funded }: Evidence): string[] {
  const has = new Map([['stranger', serviceBook.balance('wallet', `project:${projects.stranger.id}`)]])
  return differences(has, new Map([['stranger', funded.stranger + model.stranger]]), 'the project')
}

/** Checks that the bot's books and its wallet agree to the msat, and that nothing unexplained is left. */
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

  /** Returns the unused fee limit of vouchers that operators decided: the audit finds it and reports it. */
  function unseenChange(): bigint {
    return lostVouchers(botBook).reduce((sum, { key, feeLimit }) => {
      const [answer] = serviceBook.rows<{ body: string }>('SELECT "body" FROM "IdempotencyKey" WHERE "key" = ?', key)
      return sum + feeLimit - BigInt(JSON.parse(answer?.body ?? '{}').data.fee)
    }, 0n)
  }
}

/**
 * Checks that the node's balance according to the service equals its funds and receipts, less its deductions and
 * payments.
 */
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
