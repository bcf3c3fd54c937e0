import type { BookWatch } from './book-watch.ts'
import { differences } from './differences.ts'
import { judgeDraws } from './draws.ts'
import type { KeptByNode } from './evidence.ts'
import type { Judge } from './judge.ts'
import type { Model } from './model.ts'
import type { Onward } from './onward.ts'
import type { OutgoingTotals } from './outgoing.ts'
import { judgePayouts } from './payouts.ts'
import { FLOAT } from './promises.ts'
import type { Shown } from './shown.ts'
import { judgeVouchers } from './vouchers.ts'
import { judgeWithdrawals } from './withdrawals.ts'

/** The judge's last evidence. */
export interface LastEvidence {
  readonly shown: Shown
  /** People's actions and observations so far; the judge adds the ends. */
  readonly model: Model
  readonly botBook: BookWatch
  readonly serviceBook: BookWatch
  readonly lightning: BookWatch
  readonly shortfalls: KeptByNode
  readonly projects: { readonly bot: { readonly id: string }; readonly stranger: { readonly id: string } }
  readonly users: readonly string[]
  readonly funded: { readonly stranger: bigint }
}

const WAITED = ['parked', 'claimed', 'returned']

/**
 * Judges every end by what people are finally shown, and compares everybody's balance with what they typed and were
 * shown. Returns the faults as sentences.
 */
export function lastJudgement(judge: Judge, evidence: LastEvidence): string[] {
  const { shown, model } = evidence
  const { calledOff, endedCodes, typed } = judge.withdrawals
  const paidCodes = judge.outgoing.paidByWithdrawals(evidence.lightning)
  const parts = { ...evidence, ...judge, calledOff, endedCodes, paidCodes, holdings: model, drops: model.drops }
  drawsOfDrops(judge, evidence)
  judgeDraws(shown.draws, {
    ...judge,
    started: judge.giveaways.started,
    prizes: model.giveaways,
    entered: model.entered,
    claimed: model.claimedPrizes,
  })
  tips(evidence)
  pots(evidence)
  const setAside = rewards(evidence)
  judge.withdrawals.judgeSentOn(judge.wire, judge.ends)
  const unseen = judgeWithdrawals(typed, shown.withdrawals, parts)
  const short = arrivals(judge, evidence)
  for (const { paymentHash, last } of shown.verifications)
    judge.verifications.judge(paymentHash, last, evidence.lightning, evidence.serviceBook)
  judge.zaps.judge(evidence.lightning, evidence.serviceBook)
  const lost = judgeVouchers(shown, parts)
  const outgoing = judge.outgoing.judge(evidence.lightning, judge.wire, typed)
  let astray = 0n
  const onward = onwardOf(judge, shown)
  for (const { member, user, amount, astray: wrong } of judgePayouts(onward, {
    ...judge,
    end: judge.now(),
  })) {
    model.pay(user, amount)
    if (wrong) astray += amount
    else model.give(member, -amount)
  }
  const fees = lost.fees + judge.outgoing.voucherFees
  return [
    ...judge.faults.found,
    ...holdings(evidence, { astray, lost, unseen, paidIn: judge.booked, setAside }),
    ...servicesOwn(evidence, { ...outgoing, fees, short }),
  ]
}

/**
 * Checks that income from outside belongs to its receiver. If an invoice was also paid inside the books, the sum waits
 * for the operator. Returns what the node kept of sums that others have in full.
 */
function arrivals({ paidInside, faults }: Judge, { model, lightning, serviceBook, shortfalls }: LastEvidence): bigint {
  let short = 0n
  const pages = `SELECT "invoice" FROM "Payment" WHERE "payerKind" = 'user' AND "status" = 'completed'`
  for (const { invoice } of serviceBook.rows<{ invoice: string }>(pages)) paidInside.add(invoice)
  for (const [hash, { amount, credit }] of model.arrived) {
    const [arrival] = lightning.rows<{ amount: bigint; invoice: string | null }>(
      'SELECT a.amount, i.invoice FROM arrival a LEFT JOIN invoice i ON i.paymentHash = a.paymentHash WHERE a.paymentHash = ?',
      hash,
    )
    faults.expect(
      arrival?.amount === amount,
      () => `${amount} msats were paid to ${hash}, and ${arrival?.amount} arrived`,
    )
    if (paidInside.has(arrival?.invoice ?? '')) model.suspended += amount - shortfalls.of(hash)
    else {
      credit(amount, model)
      short += shortfalls.of(hash)
    }
  }
  return short
}

/** Checks that tips that waited for a newcomer were claimed or have returned. */
function tips({ model, shown }: LastEvidence): void {
  const byTip = new Map(shown.tips.map((tip) => [tip.id, tip]))
  for (const { tip, sender, recipient, amount } of model.unclaimed) {
    const share = byTip.get(tip)?.shares.find((each) => each.recipient === recipient)
    model.give(share?.state === 'returned' ? sender : recipient, share?.state === 'parked' ? 0n : amount)
  }
}

/**
 * Checks that a drop's draw has as many winners as shares, or everybody who entered, or nobody if a moderator closed
 * it.
 */
function drawsOfDrops({ faults, drops }: Judge, { model, shown }: LastEvidence): void {
  for (const [id, { shares, draw, codes }] of model.drops) {
    const mayDraw = drops.mayDraw(id)
    if (!draw || (codes && mayDraw !== 'none')) continue
    const claims = shown.dropClaims.filter(({ drop }) => drop === id)
    const won = claims.filter(({ chance }) => chance === 'given').length
    const right = mayDraw === 'none' ? 0 : Math.min(Number(shares), claims.length)
    faults.expect(
      won === right || (mayDraw === 'either' && won === 0),
      () =>
        `${won} of ${claims.length} won in the draw of the drop ${id} with ${shares} shares, and ${right} should have`,
    )
  }
}

function pots({ model, shown }: LastEvidence): void {
  for (const { drop, member, chance, code } of shown.dropClaims) {
    const pot = model.drops.get(drop)
    if (chance !== 'given' || code || pot === undefined) continue
    model.give(pot.owner, -pot.share)
    model.give(member, pot.share)
  }
  for (const { id, won } of shown.giveaways) {
    const giveaway = model.giveaways.get(id)
    if (giveaway === undefined) continue
    for (const { member } of won) {
      model.give(giveaway.starter, -giveaway.prize)
      model.give(member, giveaway.prize)
    }
  }
}

/** Returns the sum reserved for undecided rewards, and adds decided rewards to the model. */
function rewards({ model, shown }: LastEvidence): bigint {
  let setAside = 0n
  for (const { id, state, share } of shown.rewards) {
    const reward = model.rewards.get(id)
    if (reward === undefined || state === 'denied' || share?.state === 'returned') continue
    if (reward.isGift && state === 'paid') continue
    model.pool -= reward.amount
    if (share === undefined) setAside += reward.amount
    else if (share.state !== 'parked') model.give(reward.recipient, reward.amount)
  }
  return setAside
}

interface Apart {
  /** Payments that went to somebody else's wallet and were compensated. */
  readonly astray: bigint
  /** Codes that were made and never seen: their cost, and their highest possible cost by the books. */
  readonly lost: { readonly real: bigint; readonly booked: bigint }
  /** The difference between counted and real costs of payments that operators decided. */
  readonly unseen: bigint
  /** Operators' deposits that are booked for the operator. */
  readonly paidIn: bigint
  /** Sats for undecided rewards. */
  readonly setAside: bigint
}

/** Checks, to the msat, the balances of everybody, the operator, and the provider's wallet. */
function holdings(evidence: LastEvidence, { astray, lost, unseen, paidIn, setAside }: Apart): string[] {
  const { model, botBook, serviceBook, projects, users, funded, shown } = evidence
  const rows = botBook.rows<{ owner: string; balance: bigint }>(
    `SELECT "owner", "balance" FROM "Account" WHERE "kind" = 'member'`,
  )
  const owed = [...model.here.values()].reduce((sum, amount) => sum + amount, 0n) + model.pool + setAside
  const has = new Map([
    ["the pool's", botBook.balance('pool', 'guild')],
    ["the operator's", botBook.balance('operator', 'operator')],
    ["the bot's wallet", serviceBook.balance('wallet', `project:${projects.bot.id}`)],
    ["the stranger's", serviceBook.balance('wallet', `project:${projects.stranger.id}`)],
    ["the service's suspense", serviceBook.balance('suspense', 'suspense')],
  ])
  const right = new Map([
    ["the pool's", model.pool],
    ["the operator's", FLOAT + paidIn - model.fromFaucet - astray - lost.booked],
    ["the bot's wallet", owed + FLOAT + paidIn - model.fromFaucet - astray - lost.real + unseen],
    ["the stranger's", funded.stranger + model.stranger],
    ["the service's suspense", model.suspended],
  ])
  return [
    ...differences(new Map(rows.map(({ owner, balance }) => [owner, balance])), model.here, 'by the judge, the member'),
    ...differences(
      new Map(shown.balances.map(({ member, available }) => [member, available])),
      new Map(shown.balances.map(({ member }) => [member, model.here.get(member) ?? 0n])),
      'as shown, the member',
    ),
    ...differences(
      new Map(users.map((user) => [user, serviceBook.balance('wallet', `user:${user}`)])),
      model.users,
      'by the judge, the user',
    ),
    ...differences(has, right, 'by the judge,'),
  ]
}

/**
 * Checks the service's own income: vouchers' fees, and unused fee reserves of vouchers that a wallet claimed. The
 * service's operator bears routing fees beyond the shown limits, and short arrivals of invoices.
 */
function servicesOwn(
  { serviceBook }: LastEvidence,
  { excess, unspent, fees, short }: OutgoingTotals & { readonly fees: bigint; readonly short: bigint },
): string[] {
  const has = new Map([
    ['fees', serviceBook.balance('fee_income', 'vouchers')],
    ["operator's", serviceBook.balance('operator', 'operator')],
  ])
  const right = new Map([
    ['fees', fees + unspent],
    ["operator's", -(excess + short)],
  ])
  return differences(has, right, "by the judge, the service's")
}

/** Returns everything that a member received and that may have gone on to their gamertag wallet. */
function onwardOf(judge: Judge, shown: Shown): Onward[] {
  const tips = shown.tips.flatMap(({ id, shares }) =>
    shares
      .filter(({ state }) => !WAITED.includes(state))
      .map((share) => onward(`the tip ${id}`, share.recipient, share.amount, judge.shown.tips.get(id), share)),
  )
  const claims = shown.claims.map((claim) =>
    onward(`the claim ${claim.id}`, claim.member, claim.amount, judge.shown.claims.get(claim.id), claim),
  )
  const shares = shown.dropClaims
    .filter(({ chance, code }) => chance === 'given' && !code)
    .map((share) => {
      const span = share.drawn ? undefined : judge.shown.dropClaims.get(share.id)
      return onward(`a share of the drop ${share.drop}`, share.member, share.amount, span, share)
    })
  const prizes = shown.giveaways.flatMap(({ id, prize, won }) =>
    won.map((win) => onward(`a prize of the giveaway ${id}`, win.member, prize, undefined, win)),
  )
  const rewards = shown.rewards.flatMap(({ id, share }) =>
    share === undefined || WAITED.includes(share.state)
      ? []
      : [onward(`the reward ${id}`, share.recipient, share.amount, judge.shown.rewards.get(id), share)],
  )
  return [...tips, ...claims, ...shares, ...prizes, ...rewards]
}

function onward(
  what: string,
  member: string,
  amount: bigint,
  span: Onward['span'],
  { state, because, transactionId }: Pick<Onward, 'state'> & Partial<Onward>,
): Onward {
  return { what, member, amount, span, state, because, transactionId }
}
