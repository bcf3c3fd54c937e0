import type { Moment } from './moments.ts'
import type { DecidedPayout, Onward, PayoutEvidence } from './onward.ts'
import { pairUp } from './pair-up.ts'
import { type Failure, PROBE, TO_GAMERTAG } from './wire.ts'

/** The time within which a payout begins, if it ever does. */
const START_WITHIN_MS = 2 * 60_000
/** The time within which the prerequisites of a payout have ended. */
const BEGUN_WITHIN_MS = 10 * 60_000

/** The route on which the bot asks for a user's gamertag before each payout. */
const LOOK_UP = '/v0/gamertag/user-id/'

/** Checks that a sum that is not forwarded has a true reason. */
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
    // Each sum has failures of its own, unless its reason may be one that all of them wait for.
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
 * Returns the decisions of operators that a payout never arrived, by the provider's books: they mean the same as the
 * provider's refusal. If the bot died before the request left, only the decision exists.
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

/**
 * Whether the stated reason is true. Refusals and failures to reach the provider are also judged by the network's
 * traffic.
 */
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

/** Whether the provider, or something in its place, refused the request. */
function saysNo({ path, status = 0 }: Failure): boolean {
  return path === TO_GAMERTAG ? status >= 400 : !isAway({ path, status })
}

/** Whether no answer came, or only half of one, or one that says that nobody can answer yet. */
function isAway({ path, status = 0 }: Pick<Failure, 'path' | 'status'>): boolean {
  return status < 400 || status >= 500 || status === 429 || (path === PROBE && status === 409)
}

/** Whether a failure belongs to this payment. */
function isOf({ member, amount, span }: Onward, failure: Failure, { links, names, end }: PayoutEvidence): boolean {
  const { path, body, heard } = failure
  if (span !== undefined && heard.order < span.from.order) return false
  const users = links.usersIn(member, span ?? { from: START, to: end, again: false })
  if (path.startsWith(LOOK_UP)) return users.has(path.slice(LOOK_UP.length))
  if (path !== TO_GAMERTAG || body.amount !== String(amount)) return false
  if (body.receiverId !== undefined) return users.has(String(body.receiverId))
  return [...names.ownersIn(String(body.gamertag), { from: heard, to: heard })].some((user) => users.has(user))
}

/** Whether this may be a payout whose request never left because the bot died. */
function isUnsent({ member, amount, span }: Onward, decided: DecidedPayout, { ends }: PayoutEvidence): boolean {
  if (member !== decided.member || amount !== decided.amount) return false
  return span === undefined || ends.some(({ order }) => order > span.from.order)
}

/** Whether a failure concerns what all payouts wait for: before it sends, the bot asks what the provider remembers. */
function isBefore({ span }: Onward, { path, heard }: Failure): boolean {
  if (!path.startsWith(PROBE)) return false
  return span === undefined || (heard.order > span.from.order && heard.ms < span.to.ms + BEGUN_WITHIN_MS)
}

const START: Moment = { order: 0, rest: 0, ms: 0, wall: 0 }
