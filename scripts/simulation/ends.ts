import { decodeInvoice } from '../../src/lib/bolt11.ts'
import type { Evidence } from './world.ts'

/** Tips that were parked have been taken, or have gone back. */
export function tips({ model, botBook }: Evidence): string[] {
  return model.parked.flatMap(({ tip, sender, recipient, amount }) => {
    const [row] = botBook.rows<{ state: string }>(
      'SELECT "state" FROM "TipShare" WHERE "tipId" = ? AND "recipient" = ?',
      tip,
      recipient,
    )
    if (row?.state === 'claimed' || row?.state === 'credited') model.give(recipient, amount)
    else if (row?.state === 'returned') model.give(sender, amount)
    else return [`the share of ${recipient} in the tip ${tip} is ${row?.state}`]
    return []
  })
}

interface Withdrawal {
  readonly id: string
  readonly member: string
  readonly kind: string
  readonly amount: bigint
  readonly feeLimit: bigint
  readonly fee: bigint | null
  readonly state: string
  readonly invoice: string | null
  readonly remoteId: string | null
}

interface Paid {
  readonly status: string
  readonly amount: bigint
  readonly fee: bigint | null
  readonly maxFee: bigint
}

/** A withdrawal has left here exactly when the service has paid it: the same amount, for the same fee, to whom it names. */
export function withdrawals({ model, botBook, serviceBook, lightning }: Evidence): string[] {
  return botBook.rows<Withdrawal>('SELECT * FROM "Withdrawal"').flatMap((withdrawal) => {
    const { id, member, kind, amount, feeLimit, fee, state, invoice } = withdrawal
    const twin = twinOf(withdrawal)
    const left = twin?.status === 'completed'
    if (left !== (state === 'paid')) return [`the withdrawal ${id} is ${state} here, and ${twin?.status} there`]
    if (!left) return []
    model.give(member, -(amount + (fee ?? 0n)))
    if (fee !== twin.fee || amount !== twin.amount || (fee ?? 0n) > feeLimit) {
      return [`the withdrawal ${id} is of ${amount} for ${fee} here, and of ${twin.amount} for ${twin.fee} there`]
    }
    return kind === 'request' ? [] : received(invoice ?? '', amount)
  })

  function twinOf({ id, kind, remoteId }: Withdrawal): Paid | undefined {
    const table = kind === 'request' ? 'WithdrawalRequest' : 'Payment'
    const where = kind === 'request' ? '"internalId" = ?' : `"internalId" = ? AND "payerKind" = 'project'`
    const rows = serviceBook.rows<Paid & { id: string }>(`SELECT * FROM "${table}" WHERE ${where}`, id)
    return remoteId === null ? rows[0] : (rows.find((row) => row.id === remoteId) ?? rows[0])
  }

  /** Whoever made the invoice has the amount. */
  function received(text: string, amount: bigint): string[] {
    const { paymentHash } = decodeInvoice(text)
    const [own] = serviceBook.rows<{ payeeKind: string; payeeId: string; status: string }>(
      'SELECT "payeeKind", "payeeId", "status" FROM "Invoice" WHERE "paymentHash" = ?',
      paymentHash,
    )
    if (own !== undefined) {
      if (own.payeeKind === 'user') model.pay(own.payeeId, amount)
      else model.stranger += amount
      return own.status === 'settled' ? [] : [`an invoice of ours was paid, and is ${own.status}`]
    }
    const [arrival] = lightning.rows<{ amount: bigint }>(
      'SELECT amount FROM arrival WHERE paymentHash = ?',
      paymentHash,
    )
    return arrival?.amount === amount
      ? []
      : [`${amount} msats were paid for ${paymentHash}, and ${arrival?.amount} arrived`]
  }
}

/** A voucher is here what it is at the service; who redeemed one through the bot has its worth, once. */
export function vouchers({ model, botBook, serviceBook, projects }: Evidence): string[] {
  const made = botBook
    .rows<{ id: string; member: string; amount: bigint; fee: bigint | null; state: string; voucherId: string | null }>(
      'SELECT * FROM "Voucher"',
    )
    .flatMap(({ id, member, amount, fee, state, voucherId }) => {
      const [twin] = serviceBook.rows<{ redeemedAt: unknown; revokedAt: unknown; fee: bigint; amount: bigint }>(
        'SELECT * FROM "Voucher" WHERE "id" = ?',
        voucherId,
      )
      if (twin === undefined) return state === 'failed' ? [] : [`the voucher ${id} is ${state} here, and not there`]
      const there = twin.redeemedAt !== null ? 'redeemed' : twin.revokedAt !== null ? 'revoked' : 'live'
      model.give(member, -(fee ?? 0n) - (state === 'revoked' ? 0n : amount))
      // That somebody else has redeemed it is noticed with time, and moves nothing here.
      const same = state === there || (state === 'live' && there === 'redeemed')
      if (same && twin.fee === fee && twin.amount === amount) return []
      return [
        `the voucher ${id} is ${state} of ${amount} for ${fee} here, and ${there} of ${twin.amount} for ${twin.fee} there`,
      ]
    })
  const [{ count }] = serviceBook.rows<{ count: bigint }>(
    'SELECT COUNT(*) AS count FROM "Voucher" WHERE "projectId" = ?',
    projects.bot.id,
  ) as [{ count: bigint }]
  const known =
    botBook.rows(`SELECT 1 FROM "Voucher" WHERE "voucherId" IS NOT NULL`).length + lostVouchers(botBook).length
  if (Number(count) !== known) made.push(`the bot has ${count} vouchers at the service, and knows of ${known}`)
  return [...made, ...redemptions()]

  function redemptions(): string[] {
    const here = botBook.rows<{ member: string; amount: bigint }>(
      `SELECT "member", "amount" FROM "Redemption" WHERE "state" = 'redeemed'`,
    )
    for (const { member, amount } of here) model.give(member, amount)
    const there = serviceBook.rows<{ amount: bigint }>(
      'SELECT "amount" FROM "Voucher" WHERE "redeemedById" = ?',
      projects.bot.id,
    )
    const [left, right] = [sum(here), sum(there)]
    return left === right ? [] : [`codes worth ${left} msats were redeemed here, and ${right} there`]
  }
}

/** Vouchers that were made, as two operators decided, and whose codes nobody here has ever seen. */
export function lostVouchers(botBook: Evidence['botBook']): { key: string; feeLimit: bigint }[] {
  return botBook.rows(`SELECT "key", "feeLimit" FROM "Voucher" WHERE "state" = 'failed' AND "fee" IS NOT NULL`)
}

/** What a drop gave is what its claims got; what was shown to whoever pressed has been given. */
export function drops({ model, botBook }: Evidence): string[] {
  const rows = botBook.rows<{
    id: string
    member: string
    share: bigint
    shares: bigint
    claimed: bigint
    codes: bigint
  }>('SELECT * FROM "Drop"')
  const faults: string[] = []
  for (const { id, member, share, shares, claimed, codes } of rows) {
    const claims = botBook.rows<{ member: string }>(
      `SELECT "member" FROM "DropClaim" WHERE "dropId" = ? AND "state" = 'given'`,
      id,
    )
    const got = new Set(claims.map((claim) => claim.member))
    if (BigInt(claims.length) !== claimed || claimed > shares || got.size !== claims.length) {
      faults.push(`the drop ${id} gave ${claims.length} shares, counts ${claimed}, and has ${shares}`)
    }
    for (const key of model.given.keys()) {
      const [drop, claimer = ''] = key.split(' ')
      if (drop === id && !got.has(claimer)) faults.push(`${claimer} was shown a share of the drop ${id}, and has none`)
    }
    if (codes !== 0n) continue
    model.give(member, -share * claimed)
    for (const claim of claims) model.give(claim.member, share)
  }
  return faults
}

/** A giveaway that was drawn gave each winner one prize; what nobody won, and what was called off, is the starter's. */
export function giveaways({ model, botBook }: Evidence): string[] {
  return botBook
    .rows<{ id: string; starter: string; prize: bigint; winners: bigint; state: string }>('SELECT * FROM "Giveaway"')
    .flatMap(({ id, starter, prize, winners, state }) => {
      const wins = botBook.rows<{ member: string; again: bigint }>(
        'SELECT "member", "again" FROM "GiveawayWin" WHERE "giveawayId" = ?',
        id,
      )
      for (const { member } of wins) model.give(member, prize)
      model.give(starter, -prize * BigInt(wins.length))
      const first = wins.filter(({ again }) => again === 0n).length
      const right = state === 'cancelled' ? wins.length === 0 : BigInt(first) <= winners
      return right ? [] : [`the giveaway ${id} of ${winners} prizes is ${state} and has ${first} winners`]
    })
}

/** The pool holds what came into it, less what was given, or is set aside, from it. */
export function pools({ model, botBook }: Evidence): string[] {
  for (const { member, amount } of botBook.rows<{ member: string; amount: bigint }>('SELECT * FROM "PoolGift"')) {
    model.give(member, -amount)
    model.pool += amount
  }
  return botBook
    .rows<{ id: string; recipient: string; amount: bigint; state: string }>('SELECT * FROM "Reward"')
    .flatMap(({ id, recipient, amount, state }) => {
      if (state === 'denied') return []
      model.pool -= amount
      const [share] = botBook.rows<{ state: string }>('SELECT "state" FROM "TipShare" WHERE "id" = ?', id)
      if (share?.state === 'credited' || share?.state === 'claimed') model.give(recipient, amount)
      else if (share?.state === 'returned') model.pool += amount
      return (share === undefined) === (state === 'asked')
        ? []
        : [`the reward ${id} is ${state}, its share ${share?.state}`]
    })
}

/** A payout is paid here exactly when the service has carried it out, to whom the bot says and with that amount. */
export function payouts({ model, botBook, serviceBook, projects }: Evidence): string[] {
  const rows = botBook.rows<{
    id: string
    key: string
    state: string
    amount: bigint
    lightningId: string
    receiverId: string | null
  }>('SELECT * FROM "Payout"')
  return rows.flatMap(({ id, key, state, amount, lightningId, receiverId }) => {
    const [answer] = serviceBook.rows<{ body: string | null; moved: bigint }>(
      'SELECT "body", "movedMoney" AS moved FROM "IdempotencyKey" WHERE "projectId" = ? AND "key" = ?',
      projects.bot.id,
      key,
    )
    const paid = state === 'paid' || state === 'misdirected'
    if ((answer?.moved === 1n) !== paid) {
      return [`the payout ${id} is ${state} here, and ${answer?.moved ? 'was' : 'was not'} carried out there`]
    }
    if (!paid) return []
    model.pay(receiverId ?? lightningId, amount)
    const { data } = JSON.parse(answer?.body ?? '{}')
    if (data.amount === String(amount) && data.receiverId === (receiverId ?? lightningId)) return []
    return [`the payout ${id} of ${amount} to ${lightningId} was of ${data.amount} to ${data.receiverId} there`]
  })
}

/** What users did on their page costs them what the service's records say; what they saw done has been done. */
export function pages({ model, serviceBook, users }: Evidence): string[] {
  const gifts = serviceBook.rows<{ id: string; payerId: string; receiverId: string; amount: bigint }>(
    `SELECT * FROM "GamertagPayment" WHERE "payerKind" = 'user'`,
  )
  for (const { payerId, receiverId, amount } of gifts) {
    model.pay(payerId, -amount)
    model.pay(receiverId, amount)
  }
  const payments = serviceBook.rows<Paid & { id: string; payerId: string; invoice: string; paymentHash: string }>(
    `SELECT * FROM "Payment" WHERE "payerKind" = 'user'`,
  )
  const faults = payments.flatMap(({ id, payerId, status, amount, fee, maxFee, invoice, paymentHash }) => {
    if (status !== 'completed') return []
    model.pay(payerId, -(amount + (fee ?? 0n)))
    const own = serviceBook.rows('SELECT 1 FROM "Invoice" WHERE "paymentHash" = ?', paymentHash).length > 0
    const credit = model.meant.get(invoice)
    if (own) credit?.(amount)
    if (own && credit === undefined) return [`nobody meant to pay the invoice of the payment ${id}`]
    return (fee ?? 0n) > maxFee ? [`the payment ${id} cost ${fee} msats, more than ${maxFee}`] : []
  })
  const redeemed = serviceBook
    .rows<{ id: string; redeemedById: string; amount: bigint }>('SELECT * FROM "Voucher" WHERE "redeemedAt" NOT NULL')
    .filter(({ redeemedById }) => users.includes(redeemedById))
  for (const { redeemedById, amount } of redeemed) model.pay(redeemedById, amount)
  const done = new Map<string, { readonly user: string; readonly amount: bigint }>([
    ...gifts.map(({ id, payerId, amount }) => [`/wallet/tips/${id}`, { user: payerId, amount }] as const),
    ...payments.map(({ id, payerId, amount }) => [`/wallet/payments/${id}`, { user: payerId, amount }] as const),
    ...redeemed.map(
      ({ id, redeemedById, amount }) => [`/wallet/vouchers/${id}`, { user: redeemedById, amount }] as const,
    ),
  ])
  const untrue = [...model.seen].filter(([location, { user, amount }]) => {
    if (!/tips|payments|vouchers/.test(location)) return false
    const real = done.get(location)
    return real?.user !== user || (amount !== undefined && real.amount !== amount)
  })
  return [...faults, ...untrue.map(([location, { user }]) => `${user} was shown ${location}, which is not so`)]
}

function sum(rows: readonly { readonly amount: bigint }[]): bigint {
  return rows.reduce((all, { amount }) => all + amount, 0n)
}
