import type { Moment } from './moments.ts'
import type { DecidedPayout, Onward, PayoutEvidence } from './onward.ts'
import { pairUp } from './pair-up.ts'
import { type Failure, PROBE, TO_GAMERTAG } from './wire.ts'

/** A payout that has not begun by then never will. */
const START_WITHIN_MS = 2 * 60_000
/** Its prerequisites have ended by then. */
const BEGUN_WITHIN_MS = 10 * 60_000

/** Where the bot asks for the gamertag of a user, before each payout. */
const LOOK_UP = '/v0/gamertag/user-id/'

/** A sum that is not sent on must have a true reason. */
export function judgeKept(kept: readonly Onward[], evidence: PayoutEvidence): void {
  const { faults, wire } = evidence
  const wrong = (payout: Onward) =>
    faults.add(`${payout.what}: kept from ${payout.member} as ${payout.because}, which is not so`)
  for (const payout of kept) if (!isSo(payout, evidence)) wrong(payout)
  const explained = {
    refused: [...wire.failures.filter(saysNo), ...decisions(evidence)],
    unreachable: wire.failures.filter(isAway),
  }
  for (const [because, failures] of Object.entries(explained)) {
    // Each has failures of its own, but for those whose reason may be one of what all of them wait for.
    const alone = kept.filter(
      (payout) =>
        payout.state === 'kept' &&
        payout.because === because &&
        !failures.some((failure) => 'path' in failure && isBefore(payout, failure)),
    )
    const pairs = pairUp(alone, failures, (payout, failure) =>
      'path' in failure ? isOf(payout, failure, evidence) : isUnsent(payout, failure, evidence),
    )
    for (const payout of alone) if (!pairs.has(payout)) wrong(payout)
  }
}

/**
 * Operators decide by the provider's books that a payout never arrived: it says the same as the provider's no. Where the bot died before
 * the request left, there is no more than their decision.
 */
function decisions({ wire, decidedFailed }: PayoutEvidence): (Failure | DecidedPayout)[] {
  const sent = new Map(wire.at(TO_GAMERTAG).map((request) => [request.key, request]))
  return [...decidedFailed].map(([key, payout]) => {
    const request = sent.get(key)
    return request === undefined
      ? payout
      : { path: request.path, body: request.body, heard: request.first, status: undefined }
  })
}

/** Also true of what is refused, or could not reach the provider, which is judged by what went over the network. */
function isSo({ what, member, span, state, because = '' }: Onward, evidence: PayoutEvidence): boolean {
  const { links, keepers, pauses, faults, ends, end } = evidence
  if (state === 'credited') {
    const forgotten =
      span !== undefined &&
      links.isCertain(member, span) &&
      !keepers.mayKeep(member, span) &&
      !pauses.mayHold(span.from, span.to)
    if (forgotten) faults.add(`${what}: ${member} was linked all the time, and nothing was sent on`)
    return true
  }
  if (state !== 'kept') {
    faults.add(`${what}: what was sent on to ${member} is still shown as ${state}`)
    return true
  }
  if (because === 'refused' || because === 'unreachable') return true
  const until = (span?.to.ms ?? 0) + START_WITHIN_MS
  const so: Readonly<Record<string, boolean>> = {
    paused: span === undefined || pauses.mayHold(span.from, { order: end.order, ms: until }),
    unlinked: span === undefined || links.mayHaveChanged(member, span.from, until),
    interrupted: span === undefined || ends.some(({ order, ms }) => order > span.from.order && ms < until),
  }
  return so[because] ?? false
}

/** The provider, or somebody in its place, refused it. */
function saysNo({ path, status = 0 }: Failure): boolean {
  return path === TO_GAMERTAG ? status >= 400 : !isAway({ path, status })
}

/** No answer came, or half of one, or one that says that nobody is there to answer, or has answered yet. */
function isAway({ path, status = 0 }: Pick<Failure, 'path' | 'status'>): boolean {
  return status < 400 || status >= 500 || status === 429 || (path === PROBE && status === 409)
}

/** Whether a failure belongs to a payment for this. */
function isOf({ member, amount, span }: Onward, failure: Failure, { links, names, end }: PayoutEvidence): boolean {
  const { path, body, heard } = failure
  if (span !== undefined && heard.order < span.from.order) return false
  const users = links.usersIn(member, span ?? { from: START, to: end, again: false })
  if (path.startsWith(LOOK_UP)) return users.has(path.slice(LOOK_UP.length))
  if (path !== TO_GAMERTAG || body.amount !== String(amount)) return false
  if (body.receiverId !== undefined) return users.has(String(body.receiverId))
  return [...names.ownersIn(String(body.gamertag), { from: heard, to: heard })].some((user) => users.has(user))
}

/** Whether it may be a payout whose request never left: the bot died since it began. */
function isUnsent({ member, amount, span }: Onward, decided: DecidedPayout, { ends }: PayoutEvidence): boolean {
  if (member !== decided.member || amount !== decided.amount) return false
  return span === undefined || ends.some(({ order }) => order > span.from.order)
}

/** Whether it is a failure of what all payouts wait for that had not begun then: the bot asks what the provider remembers before it sends. */
function isBefore({ span }: Onward, { path, heard }: Failure): boolean {
  if (!path.startsWith(PROBE)) return false
  return span === undefined || (heard.order > span.from.order && heard.ms < span.to.ms + BEGUN_WITHIN_MS)
}

const START: Moment = { order: 0, rest: 0, ms: 0, wall: 0 }
