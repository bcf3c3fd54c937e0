import { InsufficientFunds } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { roundOfDraw } from '../../lib/proofs/draw-proof.ts'
import { commitmentTo, SEED_BYTES } from '../../lib/proofs/provable-draw.ts'
import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import { boundsOf, NO_LIMITS } from '../core/gift-limits.ts'
import { isRelative, readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { pendingGift, requireConfirmation } from '../engine/gifts/confirmation.ts'
import type { Confirmation, PendingTip } from '../engine/gifts/gifts.ts'
import { spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { splitAmount } from '../engine/gifts/split-amount.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import { awaitedReward, spendPool } from '../engine/spending/spend-pool.ts'
import { type AwaitedReward, type Funding, fromBalance } from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { GIVEAWAY_GIFTS } from './giveaway-gift.ts'
import type { GiveawayView, StartGiveaway } from './giveaways.ts'
import { readClaimTime, readDuration } from './read-duration.ts'
import { viewGiveaway } from './view-giveaway.ts'

/** Returns the highest number of winners: as many as one tip may have recipients. */
function mostWinners({ settings }: ReadonlyBook): number {
  return settings.maxRecipients
}

/**
 * Starts a giveaway: from here on, the prizes wait in its pot, and its secret seed is as durable as the commitment to
 * that seed. Throws TippingRefusal for the amount, the duration, too many winners or a balance that is too small.
 */
export async function startGiveaway(context: TippingContext, command: StartGiveaway): Promise<GiveawayView> {
  return await viewGiveaway(context, await performOnce(context, command))
}

/** Starts a giveaway with prizes from a pool, or returns the reward that waits for a second moderator. */
export async function startFromPool(
  context: TippingContext,
  command: StartGiveaway,
): Promise<GiveawayView | AwaitedReward> {
  const id = await performOnce(context, command)
  return (await awaitedReward(context, id)) ?? (await viewGiveaway(context, id))
}

/** Starts an approved giveaway from a pool, paid from `funding`. The time to enter begins now. */
export async function startApproved(context: TippingContext, command: StartGiveaway, funding: Funding): Promise<void> {
  await performOnce(context, command, funding)
}

/**
 * Starts a giveaway, once for each command. Resolves to the id of the giveaway, or of the reward that waits for a
 * second moderator.
 */
async function performOnce(context: TippingContext, command: StartGiveaway, approved?: Funding): Promise<string> {
  const { member, prize, winners, duration, roles, maxEntries, minAgeDays, activeDays, bonus, pool, origin } = command
  const { claimTime } = command
  const [role, ...others] = roles?.ids ?? []
  const more = [
    ...(pool === undefined ? [] : [pool.reason]),
    ...(bonus === undefined ? [] : [bonus.role, bonus.chances]),
    ...(others.length === 0 ? [] : [roles?.need, ...others]),
    ...(maxEntries === undefined ? [] : [`closes at ${maxEntries}`]),
    ...(claimTime === undefined ? [] : [`claim in ${claimTime}`]),
    ...(activeDays === undefined ? [] : [`active ${activeDays}`]),
  ]
  const content = [member, prize, winners, duration, role, minAgeDays, ...more]
  const id = await context.once.perform({ interaction: origin.interaction, verb: 'giveaway', content }, (digest) =>
    perform(context, command, digest, approved),
  )
  void context.poller.wake()
  return id
}

/** Starts a giveaway, or asks for a confirmation first if it is above the server's confirmation limit. */
export async function askToStart(context: TippingContext, command: StartGiveaway): Promise<GiveawayView | PendingTip> {
  readTerms(context, command)
  const asked = await requireConfirmation(context, GIVEAWAY_GIFTS, command.origin, () => ({
    kind: 'giveaway',
    command,
  }))
  return asked ?? (await startGiveaway(context, command))
}

/** Starts a confirmed giveaway, once for any number of confirmations. The time to enter begins now. */
export async function confirmStart(context: TippingContext, word: Confirmation): Promise<GiveawayView> {
  const gift = await pendingGift(context, GIVEAWAY_GIFTS, word)
  return await startGiveaway(context, gift.command)
}

/**
 * Reads how long people can enter, in milliseconds. Throws TippingRefusal for that duration or the claim time, for too
 * many winners, and for too few entrants.
 */
function readTerms(context: ReadonlyBook, { duration, winners, maxEntries, claimTime }: StartGiveaway): number {
  const durationMs = readDuration(duration)
  if (claimTime !== undefined) readClaimTime(claimTime)
  const most = mostWinners(context)
  if (!Number.isSafeInteger(winners) || winners < 1 || winners > most)
    throw new TippingRefusal('too-many-winners', { most })
  const least = winners + 1
  if (maxEntries !== undefined && !(Number.isSafeInteger(maxEntries) && maxEntries >= least))
    throw new TippingRefusal('giveaway-entries-few', { least })
  return durationMs
}

async function perform(
  context: TippingContext,
  command: StartGiveaway,
  digest: string,
  approved: Funding | undefined,
): Promise<string> {
  const { member, winners, pool, origin } = command
  const durationMs = readTerms(context, command)
  if (pool === undefined) return await performFromBalance(context, command, { digest, durationMs })
  // A pool's gifts are limited by a budget.
  const prize = readAmount(command.prize, boundsOf(context, NO_LIMITS))
  const terms = { digest, durationMs, prize }
  if (approved !== undefined) return await write(context, command, terms, approved)
  const gift = GIVEAWAY_GIFTS.exact({ kind: 'giveaway', command }, prize)
  const spending = {
    ...({ kind: 'giveaway', member, pool, shares: [], gift, origin, digest } as const),
    amount: msats(prize * BigInt(winners)),
  }
  return await spendPool(context, spending, (funding) => write(context, command, terms, funding))
}

async function performFromBalance(
  context: TippingContext,
  command: StartGiveaway,
  terms: Omit<Terms, 'prize'>,
): Promise<string> {
  const { member, winners, accountSince, origin } = command
  const { guild } = origin
  const limits = await context.limits.limitsFor(guild)
  // The balance may change between reading `all` and taking it. Then it is read again.
  for (let attempt = 0; ; attempt += 1) {
    const balance = msats(await context.ledger.balance(memberAccount(member)))
    const prize = splitAmount({ amount: command.prize }, winners, boundsOf(context, limits), balance)
    try {
      const amount = msats(prize * BigInt(winners))
      const funding = fromBalance(member, (tx) =>
        spendAllowance(context, tx, { member, guild, amount, limits, accountSince }),
      )
      return await write(context, command, { ...terms, prize }, funding)
    } catch (error) {
      if (!(error instanceof InsufficientFunds)) throw error
      if (isRelative(command.prize) && attempt < 5) continue
      const [needed, missing] = [msats(prize * BigInt(winners)), msats(error.missing)]
      throw new TippingRefusal('insufficient-funds', { balance: msats(needed - missing), needed, missing })
    }
  }
}

interface Terms {
  readonly digest: string
  readonly durationMs: number
  readonly prize: Msats
}

async function write(
  context: TippingContext,
  command: StartGiveaway,
  { digest, durationMs, prize }: Terms,
  funding: Funding,
): Promise<string> {
  const { member, winners, roles, maxEntries, minAgeDays, activeDays, bonus, claimTime, origin } = command
  const [role, ...moreRoles] = roles?.ids ?? []
  const [id, card, at] = [context.entropy.uuid(), context.entropy.uuid(), now(context)]
  const seed = context.entropy.bytes(SEED_BYTES)
  const endsAt = new Date(at.getTime() + durationMs)
  const { chain, reachable } = context.beacons
  const moves = [{ from: funding.account, to: pot(id), amount: msats(prize * BigInt(winners)) }]
  await context.commit({
    entries: [...funding.entries, { operation: id, step: 'reserve', moves }],
    rows: [
      operationRow({ id, verb: 'giveaway', record: id, interaction: origin.interaction, digest, createdAt: at }),
      {
        table: 'Giveaway',
        values: {
          id,
          starter: member,
          guild: origin.guild,
          channel: origin.channel,
          card,
          prize,
          winners,
          role: role ?? null,
          moreRoles: JSON.stringify(moreRoles),
          allRoles: roles?.need === 'all',
          maxEntries: maxEntries ?? null,
          accountDays: minAgeDays || null,
          activeDays: activeDays || null,
          claimMinutes: claimTime === undefined ? null : readClaimTime(claimTime),
          bonusRole: bonus?.role ?? null,
          bonusChances: bonus?.chances ?? null,
          state: 'open',
          seed: seed.toString('hex'),
          commitment: commitmentTo(seed),
          beaconRound: reachable ? roundOfDraw(chain, endsAt.getTime()) : null,
          endsAt,
          createdAt: at,
          pool: funding.pool,
        },
      },
      context.cards.row({ id: card, kind: 'giveaway', record: id, audience: { channel: origin.channel }, origin }),
    ],
    write: async (tx) => {
      await noteMember(tx, member, at)
      await funding.write(tx, { id, card })
      await schedulePoll(tx, { id, kind: 'giveaway', bornAt: at }, endsAt)
    },
  })
  return id
}
