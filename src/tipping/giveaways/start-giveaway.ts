import { InsufficientFunds } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { roundOfDraw } from '../../lib/proofs/draw-proof.ts'
import { commitmentTo, SEED_BYTES } from '../../lib/proofs/provable-draw.ts'
import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import { boundsOf, type Limits } from '../core/limits.ts'
import { isRelative } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { pendingGift, requireConfirmation } from '../engine/gifts/confirmation.ts'
import type { Confirmation, PendingTip } from '../engine/gifts/gifts.ts'
import { shareOf } from '../engine/gifts/recipients.ts'
import { spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { GIVEAWAY_GIFTS } from './giveaway-gift.ts'
import type { GiveawayView, StartGiveaway } from './giveaways.ts'
import { readDuration } from './read-duration.ts'
import { viewGiveaway } from './view-giveaway.ts'

/** So many may win at once, as so many may be tipped at once. */
function mostWinners({ settings }: TippingContext): number {
  return settings.maxRecipients
}

/**
 * Starts a giveaway: the prizes wait in its pot from here on, and its secret seed is as durable as the commitment to it.
 * Throws TippingRefusal for the amount, the duration, too many winners or too small a balance.
 */
export async function startGiveaway(context: TippingContext, command: StartGiveaway): Promise<GiveawayView> {
  const { member, prize, winners, duration, role, minAgeDays, origin } = command
  const content = [member, prize, winners, duration, role, minAgeDays]
  const id = await context.once.perform({ interaction: origin.interaction, verb: 'giveaway', content }, (digest) =>
    perform(context, command, digest),
  )
  void context.poller.wake()
  return await viewGiveaway(context, id)
}

/** The same. Above the server's confirmation limit it asks first. */
export async function askToStart(context: TippingContext, command: StartGiveaway): Promise<GiveawayView | PendingTip> {
  readTerms(context, command)
  const asked = await requireConfirmation(context, GIVEAWAY_GIFTS, command.origin, () => ({
    kind: 'giveaway',
    command,
  }))
  return asked ?? (await startGiveaway(context, command))
}

/** The confirmation. However often it is given, one giveaway is started. Its time begins then. */
export async function confirmStart(context: TippingContext, word: Confirmation): Promise<GiveawayView> {
  const gift = await pendingGift(context, GIVEAWAY_GIFTS, word)
  return await startGiveaway(context, gift.command)
}

/** How long people can enter, in milliseconds. Throws TippingRefusal for that, and for too many winners. */
function readTerms(context: TippingContext, { duration, winners }: StartGiveaway): number {
  const durationMs = readDuration(duration)
  const most = mostWinners(context)
  if (!Number.isSafeInteger(winners) || winners < 1 || winners > most)
    throw new TippingRefusal('too-many-winners', { most })
  return durationMs
}

async function perform(context: TippingContext, command: StartGiveaway, digest: string): Promise<string> {
  const { member, winners } = command
  const durationMs = readTerms(context, command)
  const limits = await context.limits.limitsFor(command.origin.guild)
  // What `all` means may change between reading the balance and taking it; then it is read again.
  for (let attempt = 0; ; attempt += 1) {
    const balance = msats(await context.ledger.balance(memberAccount(member)))
    const prize = shareOf({ amount: command.prize }, winners, boundsOf(context, limits), balance)
    try {
      return await write(context, command, { digest, durationMs, prize, limits })
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
  readonly limits: Limits
}

async function write(context: TippingContext, command: StartGiveaway, terms: Terms): Promise<string> {
  const { member, winners, role, minAgeDays, accountSince, origin } = command
  const { digest, durationMs, prize, limits } = terms
  const [id, card, at] = [context.entropy.uuid(), context.entropy.uuid(), now(context)]
  const seed = context.entropy.bytes(SEED_BYTES)
  const endsAt = new Date(at.getTime() + durationMs)
  const { chain, reachable } = context.beacons
  const amount = msats(prize * BigInt(winners))
  const moves = [{ from: memberAccount(member), to: pot(id), amount }]
  await context.commit({
    entries: [{ operation: id, step: 'reserve', moves }],
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
          accountDays: minAgeDays || null,
          state: 'open',
          seed: seed.toString('hex'),
          commitment: commitmentTo(seed),
          beaconRound: reachable ? roundOfDraw(chain, endsAt.getTime()) : null,
          endsAt,
          createdAt: at,
        },
      },
      context.cards.row({ id: card, kind: 'giveaway', record: id, audience: { channel: origin.channel }, origin }),
    ],
    write: async (tx) => {
      await noteMember(tx, member, at)
      await spendAllowance(context, tx, { member, guild: origin.guild, amount, limits, accountSince })
      await schedulePoll(tx, { id, kind: 'giveaway', bornAt: at }, endsAt)
    },
  })
  return id
}
