import { judgeKept } from './kept.ts'
import type { Names } from './names.ts'
import type { Onward, PayoutEvidence } from './onward.ts'
import { pairUp } from './pair-up.ts'
import { amountOf, type Exchange, TO_GAMERTAG } from './wire.ts'

/** A payout that has arrived, with its member and its receiver. */
export interface Arrived {
  readonly member: string
  readonly user: string
  readonly amount: bigint
  readonly astray: boolean
}

/**
 * Compares the payouts that people are shown with the network's traffic: each must have arrived once, at the wallet
 * that its member chose.
 */
export function judgePayouts(shown: readonly Onward[], evidence: PayoutEvidence): Arrived[] {
  const { wire, links, keepers, faults, decidedPaid } = evidence
  const settled = wire.at(TO_GAMERTAG).filter(({ data, key }) => data !== undefined || decidedPaid.has(key))
  const arrived: Arrived[] = []
  for (const payout of shown.filter(({ because }) => because === 'misdirected')) links.frozen.add(payout.member)
  const isSent = ({ state, because }: Onward) => state === 'paid' || because === 'misdirected'
  judgeKept(
    shown.filter((payout) => !isSent(payout)),
    evidence,
  )
  const sent = shown.filter(isSent)
  const pairs = pairUp(sent, settled, (payout, exchange) => isOf(payout, exchange, evidence))
  for (const payout of sent) {
    const { what, member, span } = payout
    faults.expect(
      span === undefined || !keepers.keepsAll(member, span),
      () => `${what} went on to the wallet of ${member}, who keeps everything here`,
    )
    const astray = payout.because === 'misdirected'
    const found = pairs.get(payout)
    if (found === undefined) {
      faults.add(
        `${payout.what}: ${payout.amount} msats are shown as sent to ${payout.member}'s wallet, and none were sent there`,
      )
      continue
    }
    const user = receiverFor(payout, found, evidence) as string
    if (astray)
      faults.expect(
        found.body.receiverId === undefined,
        () => `${payout.what} went astray, though its receiver was named`,
      )
    arrived.push({ member: payout.member, user, amount: payout.amount, astray })
  }
  const paired = new Set(pairs.values())
  for (const { key, text } of settled.filter((exchange) => !paired.has(exchange)))
    faults.add(`${key} paid ${text}, and nobody is shown that it did`)
  return arrived
}

/**
 * Returns the possible receivers: the one in the answer or, without an answer, the one in the request. A gamertag
 * alone, which the bot sends to a provider without replay, means its owner at that time.
 */
function receiversOf({ data, body, first }: Exchange, names: Names): readonly string[] {
  const named = data?.receiverId ?? body.receiverId
  if (named !== undefined) return [String(named)]
  return [...names.ownersIn(String(body.gamertag), { from: first, to: first })]
}

function isOf(payout: Onward, exchange: Exchange, evidence: PayoutEvidence): boolean {
  const { amount, transactionId } = payout
  const { data } = exchange
  if (transactionId !== undefined && data !== undefined && data.transactionId !== transactionId) return false
  if (amountOf(exchange, 'amount', 'body') !== amount) return false
  if (data !== undefined && amountOf(exchange, 'amount') !== amount) return false
  return receiverFor(payout, exchange, evidence) !== undefined
}

/** Returns the recipient of a payout, if this request sent it. */
function receiverFor(payout: Onward, exchange: Exchange, evidence: PayoutEvidence): string | undefined {
  const astray = payout.because === 'misdirected'
  const users = receiversOf(exchange, evidence.names)
  return users.find((user) => isMeant(payout, exchange, user, evidence) !== astray)
}

/**
 * Whether the member's sats were to go to this user when they were sent. A bot that dies between noting a payout and
 * sending it cannot know whether it has sent it: it sends the payout again later, by the link that it had noted.
 */
function isMeant({ member, span }: Onward, exchange: Exchange, user: string, { links, ends }: PayoutEvidence): boolean {
  const { first } = exchange
  if (links.mayGoTo(member, user, first)) return true
  const hasDied = span !== undefined && ends.some(({ order }) => order > span.from.order && order < first.order)
  return hasDied && links.usersIn(member, span).has(user)
}
