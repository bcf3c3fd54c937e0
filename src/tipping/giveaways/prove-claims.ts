import { type ClaimProof, MAX_CLAIM_ROUNDS } from '../../lib/proofs/claim-rounds.ts'
import type { Giveaway, GiveawayClaim } from '../generated/client.ts'

/** Returns the claims of a giveaway's prizes, for its proof; undefined if the prizes were paid immediately. */
export function claimProof(
  { claimMinutes: minutes, settledAt }: Giveaway,
  claims: readonly GiveawayClaim[],
  entrants: number,
): ClaimProof | undefined {
  if (minutes === null) return undefined
  const rounds = [...Map.groupBy(claims, ({ round }) => round).values()].map((named) => ({
    drawnAt: named[0]?.createdAt.toISOString() ?? '',
    // After the books were restored, people who had not claimed were given more time.
    until: new Date(Math.max(...named.map(({ until }) => until.getTime()))).toISOString(),
    named: named.map(({ member }) => member),
    claimed: named.flatMap(({ member, claimedAt, press }) =>
      claimedAt === null || press === null ? [] : [{ member, press, at: claimedAt.toISOString() }],
    ),
  }))
  const last = rounds.at(-1)
  const missed = (last?.named.length ?? 0) - (last?.claimed.length ?? 0)
  // Only a bot that is winding down returns prizes that others in the order could have.
  const cutShort = settledAt !== null && missed > 0 && rounds.length < MAX_CLAIM_ROUNDS && claims.length < entrants
  return { minutes, rounds, settledAt: settledAt?.toISOString() ?? null, ...(cutShort && { cutShort }) }
}
