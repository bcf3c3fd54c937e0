import type { Evidence } from './evidence.ts'
import { POOL } from './model.ts'
import { paidFor, within } from './outgoing.ts'

/** Checks that unclaimed tips were claimed or have returned. */
export function tips({ model, botBook }: Evidence): string[] {
  return model.unclaimed.flatMap(({ tip, sender, recipient, amount }) => {
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
  readonly pool: string | null
  readonly kind: string
  readonly amount: bigint
  readonly feeLimit: bigint
  readonly fee: bigint | null
  readonly state: string
  readonly invoice: string | null
  readonly paymentHash: string | null
  readonly remoteId: string | null
}

interface Paid {
  readonly status: string
  readonly amount: bigint
  readonly fee: bigint | null
  readonly maxFee: bigint
}

/**
 * Checks that a withdrawal left here if and only if the service paid it, with the same amount, fee and recipient. A
 * payment that operators decided counts with its whole fee limit.
 */
export function withdrawals(evidence: Evidence): string[] {
  const { model, botBook, serviceBook, lightning } = evidence
  const decided = new Set(decidedWithdrawals(botBook).map(({ id }) => id))
  return botBook.rows<Withdrawal>('SELECT * FROM "Withdrawal"').flatMap((withdrawal) => {
    const { id, member, pool, kind, amount, feeLimit, fee, state, invoice, paymentHash } = withdrawal
    const twin = twinOf(serviceBook, withdrawal)
    const left = twin?.status === 'completed'
    if (left !== (state === 'paid')) return [`the withdrawal ${id} is ${state} here, and ${twin?.status} there`]
    if (!left) return []
    model.give(pool === null ? member : POOL, -(amount + (fee ?? 0n)))
    const price = decided.has(id) ? feeLimit : twin.fee
    if (fee !== price || amount !== twin.amount || (fee ?? 0n) > feeLimit) {
      return [`the withdrawal ${id} is of ${amount} for ${fee} here, and of ${twin.amount} for ${twin.fee} there`]
    }
    return kind === 'request' ? [] : received(paymentHash ?? invoice ?? '', amount)
  })

  /** Checks that the maker of the invoice has the amount. */
  function received(text: string, amount: bigint): string[] {
    const [known] = lightning.rows<{ paymentHash: string }>('SELECT paymentHash FROM invoice WHERE invoice = ?', text)
    const paymentHash = known?.paymentHash ?? text
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

/** Returns the withdrawals that left according to two operators' decision. */
function decidedWithdrawals(botBook: Evidence['botBook']): Withdrawal[] {
  const decided = `SELECT "payment" FROM "Decision" WHERE "kind" = 'withdrawal' AND "outcome" = 'paid' AND "state" = 'done'`
  return botBook.rows(`SELECT * FROM "Withdrawal" WHERE "state" = 'paid' AND "id" IN (${decided})`)
}

/** Returns the difference between the counted and the real cost of withdrawals that operators decided, in msats. */
export function changeOfDecided({ botBook, serviceBook }: Pick<Evidence, 'botBook' | 'serviceBook'>): bigint {
  return decidedWithdrawals(botBook).reduce(
    (sum, withdrawal) => sum + withdrawal.feeLimit - (twinOf(serviceBook, withdrawal)?.fee ?? withdrawal.feeLimit),
    0n,
  )
}

function twinOf(serviceBook: Evidence['serviceBook'], { id, kind, remoteId }: Withdrawal): Paid | undefined {
  const table = kind === 'request' ? 'WithdrawalRequest' : 'Payment'
  const where = kind === 'request' ? '"internalId" = ?' : `"internalId" = ? AND "payerKind" = 'project'`
  const rows = serviceBook.rows<Paid & { id: string }>(`SELECT * FROM "${table}" WHERE ${where}`, id)
  return remoteId === null ? rows[0] : (rows.find((row) => row.id === remoteId) ?? rows[0])
}

/**
 * Checks that a voucher has the same state here and at the service, and that its redeemer through the bot has its
 * value, once.
 */
export function vouchers({ model, botBook, serviceBook, projects }: Evidence): string[] {
  const made = botBook
    .rows<{ id: string; giver: string; amount: bigint; fee: bigint | null; state: string; voucherId: string | null }>(
      `SELECT *, COALESCE('pool:' || "pool", "member") AS giver FROM "Voucher"`,
    )
    .flatMap(({ id, giver, amount, fee, state, voucherId }) => {
      const [twin] = serviceBook.rows<{ redeemedAt: unknown; revokedAt: unknown; fee: bigint; amount: bigint }>(
        'SELECT * FROM "Voucher" WHERE "id" = ?',
        voucherId,
      )
      if (twin === undefined) return state === 'failed' ? [] : [`the voucher ${id} is ${state} here, and not there`]
      const there = twin.redeemedAt !== null ? 'redeemed' : twin.revokedAt !== null ? 'revoked' : 'live'
      model.give(giver, -(fee ?? 0n) - (state === 'revoked' ? 0n : amount))
      // Another person's redemption is noticed later, and moves nothing here.
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

  /**
   * Checks that a code was redeemed here if and only if it was redeemed there, for the same amount, and that its
   * redeemer was shown the success or told to wait.
   */
  function redemptions(): string[] {
    const rows = botBook.rows<{ id: string; member: string; amount: bigint | null; state: string; key: string }>(
      'SELECT "id", "member", "amount", "state", "key" FROM "Redemption"',
    )
    const faults = rows.flatMap(({ id, member, amount, state, key }) => {
      const [answer] = serviceBook.rows<{ body: string | null; moved: bigint }>(
        'SELECT "body", "movedMoney" AS moved FROM "IdempotencyKey" WHERE "projectId" = ? AND "key" = ?',
        projects.bot.id,
        key,
      )
      const there = answer?.moved === 1n ? BigInt(JSON.parse(answer.body ?? '{}').data.amount) : null
      const here = state === 'redeemed' ? amount : null
      const shown = model.redeemed.get(id)
      if (here !== null) model.give(member, here)
      return [
        ...(here === there ? [] : [`the code of ${id} gave ${here} msats here, and ${there} there`]),
        ...(here === null || shown?.member === member
          ? []
          : [`${member} was never shown that ${id} gave ${here} msats`]),
        ...(shown?.amount === undefined || shown.amount === here
          ? []
          : [`${member} was shown that ${id} gave ${shown.amount} msats, and it gave ${here}`]),
      ]
    })
    const ids = new Set(rows.map(({ id }) => id))
    const lost = [...model.redeemed.keys()].filter((id) => !ids.has(id))
    const left = sum(rows.map(({ state, amount }) => ({ amount: (state === 'redeemed' && amount) || 0n })))
    const right = sum(serviceBook.rows('SELECT "amount" FROM "Voucher" WHERE "redeemedById" = ?', projects.bot.id))
    return [
      ...faults,
      ...lost.map((id) => `somebody was shown the redemption ${id}; it is not there`),
      ...(left === right ? [] : [`codes worth ${left} msats were redeemed here, and ${right} there`]),
    ]
  }
}

/** Returns the vouchers that were made according to two operators' decision, and whose codes nobody here saw. */
export function lostVouchers(botBook: Evidence['botBook']): { key: string; feeLimit: bigint }[] {
  return botBook.rows(`SELECT "key", "feeLimit" FROM "Voucher" WHERE "state" = 'failed' AND "fee" IS NOT NULL`)
}

/**
 * Checks that a drop is as its owner was shown it. Exactly the people who pressed in time and were shown a share have
 * one. Winners of a draw were shown that they entered; the records name them.
 */
export function drops({ model, botBook }: Evidence): string[] {
  const rows = new Map(
    botBook
      .rows<{ id: string; claimed: bigint }>('SELECT "id", "claimed" FROM "Drop" WHERE "connection" IS NULL')
      .map((row) => [row.id, row]),
  )
  const faults = unshown('drop', rows, model.drops)
  for (const [id, { owner, share, shares, draw, codes }] of model.drops) {
    const claims = botBook
      .rows<{ member: string }>(`SELECT "member" FROM "DropClaim" WHERE "dropId" = ? AND "state" = 'given'`, id)
      .map(({ member }) => member)
    const claimed = rows.get(id)?.claimed
    if (BigInt(claims.length) !== claimed || claimed > shares || new Set(claims).size !== claims.length)
      faults.push(`the drop ${id} gave ${claims.length} shares, counts ${claimed}, and has ${shares}`)
    const given = [...model.given].filter(([key]) => key.startsWith(`${id} `))
    for (const [key, amount] of given) {
      const member = key.slice(id.length + 1)
      if (!claims.includes(member)) faults.push(`${member} was shown a share of the drop ${id}, and has none`)
      if (amount !== share)
        faults.push(`${member} was shown ${amount} msats of the drop ${id}, whose share is ${share}`)
    }
    faults.push(...forgottenEntrants(id, model.entered, botBook.rows(CLAIMANTS, id)))
    const took = (key: string) => model.given.has(key) || (draw && model.entered.has(key))
    for (const member of claims.filter((each) => !took(`${id} ${each}`)))
      faults.push(`${member} has a share of the drop ${id}, and never took one`)
    if (codes) continue
    model.give(owner, -share * BigInt(claims.length))
    for (const member of claims) model.give(member, share)
  }
  return faults
}

/**
 * Checks that a giveaway is as its starter was shown it. The winners in the records have one prize each, and were all
 * shown that they entered. The starter was shown the winners of a later draw. The starter gets back prizes that nobody
 * won, and those of a cancelled giveaway.
 */
export function giveaways({ model, botBook }: Evidence): string[] {
  const rows = new Map(
    botBook.rows<{ id: string; state: string }>('SELECT "id", "state" FROM "Giveaway"').map((row) => [row.id, row]),
  )
  const faults = unshown('giveaway', rows, model.giveaways)
  for (const [id, { starter, prize, winners }] of model.giveaways) {
    const state = rows.get(id)?.state
    const wins = botBook.rows<{ id: string; member: string; again: bigint }>(
      'SELECT "id", "member", "again" FROM "GiveawayWin" WHERE "giveawayId" = ?',
      id,
    )
    for (const { member } of wins) model.give(member, prize)
    model.give(starter, -prize * BigInt(wins.length))
    const first = wins.filter(({ again }) => again === 0n).length
    const right = state === 'cancelled' ? wins.length === 0 : BigInt(first) <= winners
    if (!right || new Set(wins.map(({ member }) => member)).size !== wins.length)
      faults.push(`the giveaway ${id} of ${winners} prizes is ${state} and has ${first} winners, ${wins.length} in all`)
    faults.push(...forgottenEntrants(id, model.entered, botBook.rows(ENTRANTS, id)))
    const stray = wins.filter(({ member }) => !model.entered.has(`${id} ${member}`))
    faults.push(...stray.map(({ member }) => `${member} won the giveaway ${id}, and never entered`))
    const again = new Map(wins.flatMap((win) => (win.again === 0n ? [] : [[win.id, `${id} ${win.member}`] as const])))
    const shown = new Map([...model.redrawn].filter(([, what]) => what.startsWith(`${id} `)))
    const same = again.size === shown.size && [...again].every(([win, what]) => shown.get(win) === what)
    if (!same) faults.push(`of the giveaway ${id} ${again.size} prizes were drawn later, and ${shown.size} were shown`)
  }
  return faults
}

/**
 * Checks that the pool holds its receipts, less the rewards that moderators were shown. The records say how each reward
 * ended.
 */
export function pools({ model, botBook }: Evidence): string[] {
  const rows = new Map(
    botBook
      .rows<{ id: string; state: string }>(`SELECT "id", "state" FROM "Reward" WHERE "source" = 'pool'`)
      .map((row) => [row.id, row]),
  )
  const faults = unshown('reward', rows, model.rewards)
  for (const [id, { recipient, amount, state: shown, isGift }] of model.rewards) {
    const state = rows.get(id)?.state
    if (shown !== 'asked' && shown !== state) faults.push(`the reward ${id} was shown as ${shown}, and is ${state}`)
    if (state === 'denied' || (isGift && state === 'paid')) continue
    model.pool -= amount
    const [share] = botBook.rows<{ state: string }>('SELECT "state" FROM "TipShare" WHERE "id" = ?', id)
    if (share?.state === 'credited' || share?.state === 'claimed') model.give(recipient, amount)
    else if (share?.state === 'returned') model.pool += amount
    if ((share === undefined) !== (state === 'asked'))
      faults.push(`the reward ${id} is ${state}, its share ${share?.state}`)
  }
  return faults
}

const CLAIMANTS = 'SELECT "member" FROM "DropClaim" WHERE "dropId" = ?'
const ENTRANTS = 'SELECT "member" FROM "GiveawayEntry" WHERE "giveawayId" = ?'

/** Finds people who were told that they had entered a draw, but had not. */
function forgottenEntrants(id: string, entered: ReadonlySet<string>, rows: readonly { member: string }[]): string[] {
  const members = new Set(rows.map(({ member }) => `${id} ${member}`))
  const forgotten = [...entered].filter((key) => key.startsWith(`${id} `) && !members.has(key))
  return forgotten.map((key) => `somebody was shown to be in the draw of ${key}, and is not`)
}

/** Finds records that nobody was shown, and shown ones without a record. */
function unshown(noun: string, rows: ReadonlyMap<string, unknown>, shown: ReadonlyMap<string, unknown>): string[] {
  return [
    ...[...rows.keys()].filter((id) => !shown.has(id)).map((id) => `nobody was ever shown the ${noun} ${id}`),
    ...[...shown.keys()]
      .filter((id) => !rows.has(id))
      .map((id) => `somebody was shown the ${noun} ${id}; it is not there`),
  ]
}

/** Checks that a payout is paid here if and only if the service made it, with the same recipient and amount. */
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

/**
 * Checks that users' actions on their page cost the confirmed sum and the network's fee, within the limit that they
 * were shown, and that actions shown as done are done.
 */
export function pages({ model, serviceBook, lightning, users }: Evidence): string[] {
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
  const faults = payments.flatMap(({ id, payerId, status, amount, fee, invoice, paymentHash }) => {
    if (status !== 'completed') return []
    const own = serviceBook.rows('SELECT 1 FROM "Invoice" WHERE "paymentHash" = ?', paymentHash).length > 0
    const credit = model.meant.get(invoice)
    if (own) {
      model.pay(payerId, -amount)
      credit?.(amount, model)
      if (credit === undefined) return [`nobody meant to pay the invoice of the payment ${id}`]
      return fee === 0n ? [] : [`the payment ${id} never left the service, and cost ${fee} msats`]
    }
    const [confirmed, moved] = [model.paidFromPages.get(invoice), paidFor(lightning, invoice)]
    if (confirmed === undefined || moved === undefined)
      return [`the payment ${id} of ${payerId} is ${confirmed ? 'not on the network' : 'one that nobody asked for'}`]
    const right = within(confirmed.limit, moved.fee)
    model.pay(confirmed.user, -(confirmed.amount + right))
    if (payerId === confirmed.user && amount === confirmed.amount && fee === right) return []
    return [
      `${confirmed.user} confirmed ${confirmed.amount} msats, for which the network took ${moved.fee}: ${payerId} is shown ${amount} for ${fee}`,
    ]
  })
  const redeemed = serviceBook
    .rows<{ id: string; redeemedById: string; amount: bigint }>(
      'SELECT * FROM "Voucher" WHERE "redeemedAt" IS NOT NULL',
    )
    .filter(({ redeemedById }) => users.includes(redeemedById))
  for (const { redeemedById, amount } of redeemed) model.pay(redeemedById, amount)
  const done = new Map<string, { readonly user: string; readonly amount: bigint; readonly receiver?: string }>([
    ...gifts.map(
      ({ id, payerId, receiverId, amount }) =>
        [`/wallet/tips/${id}`, { user: payerId, receiver: receiverId, amount }] as const,
    ),
    ...payments.map(({ id, payerId, amount }) => [`/wallet/payments/${id}`, { user: payerId, amount }] as const),
    ...redeemed.map(
      ({ id, redeemedById, amount }) => [`/wallet/vouchers/${id}`, { user: redeemedById, amount }] as const,
    ),
  ])
  const untrue = [...model.seen].filter(([location, { user, amount, receiver }]) => {
    if (!/tips|payments|vouchers/.test(location)) return false
    const real = done.get(location)
    return real?.user !== user || real.receiver !== receiver || (amount !== undefined && real.amount !== amount)
  })
  return [...faults, ...untrue.map(([location, { user }]) => `${user} was shown ${location}, which is not so`)]
}

function sum(rows: readonly { readonly amount: bigint }[]): bigint {
  return rows.reduce((all, { amount }) => all + amount, 0n)
}
