import type { AccountName } from '../../../ledger/ledger.ts'
import { AlreadyWritten, type LedgerChange } from '../../../ledger/ledger.ts'
import { type Msats, msats } from '../../../lib/money/amount.ts'
import { type DataOf, type Operations, PaymentsError } from '../../../payments-api/payments-api.ts'
import { WALLET } from '../../core/chart-of-accounts.ts'
import type { CoreContext, ReadonlyBook } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import type { Uncertain, UncertainParts } from '../../core/uncertain.ts'
import type { PollJob } from '../../generated/client.ts'
import { raiseAlert } from '../alerts/alerts.ts'
import { isPresent, tellIfNotKnown, tellOfProviderLeft } from '../alerts/present-provider.ts'
import { isAnswer } from '../polling/is-answer.ts'
import { END, inMs, type Next, unread } from '../polling/poller.ts'
import type { TippingContext } from '../tipping-context.ts'

export type StaticCharge = DataOf<Operations['createStaticCharge']>

/** The columns needed to read a record's static charge. */
export interface ChargeRecord {
  readonly id: string
  /** The charge's id at the provider; null until the provider has answered. */
  readonly chargeId: string | null
  readonly provider: string | null
  readonly createdAt: Date
  /** The number of slots that the book has credited. */
  readonly credited: number
}

/** A record whose charge was created. */
export type WithCharge<Record extends ChargeRecord> = Record & { readonly chargeId: string }

/** One payment to a charge. Slots are numbered from 1, without gaps. */
export interface Arrival {
  readonly slot: number
  readonly amount: Msats
}

/**
 * The result of reading a charge. `credited`: everything that the provider reports is in the book. `refused`: the
 * charge could not be read, for a reason other than a missing answer. `unread`: the provider did not answer.
 */
export type Reading = 'credited' | 'refused' | 'unread'

/** Credits new arrivals in one transaction. Does nothing if another reader was first. */
export type Credit<Paid extends Arrival> = (arrivals: readonly Paid[]) => Promise<void>

/** A kind of record that is paid through a static charge: a deposit, a fundraiser, a member's address. */
export interface IncomingKind<Record extends ChargeRecord, Paid extends Arrival = Arrival> {
  /** The kind's name in the log. */
  readonly noun: 'deposit' | 'fundraiser' | 'address'
  find(read: Pick<Tx, 'deposit' | 'fundraiser' | 'address'>, id: string): Promise<Record | null>
  /** Returns the account that payments to the record fill. */
  accountOf(record: Record): AccountName
  /** Asks the provider for payments, and credits new ones. Throws PaymentsError. */
  read(context: TippingContext, record: WithCharge<Record>, credit: Credit<Paid>): Promise<Exclude<Reading, 'unread'>>
  /**
   * Advances the record's count of credited slots, and makes further changes, in the crediting transaction. Throws if
   * the count does not end with the slot before the first arrival.
   */
  note(context: TippingContext, tx: Tx, record: Record, arrivals: readonly Paid[]): Promise<void>
  /**
   * Commits the crediting change, once. Default: commits it unchanged. An implementation may add to the transaction,
   * but must not leave anything out.
   */
  commit?(context: TippingContext, record: Record, credit: LedgerChange<Tx>): Promise<void>
  /** Returns the sum that may have been paid to records of this kind and has not been read yet. */
  uncertain(parts: UncertainParts): Promise<Uncertain>
  /**
   * Returns the time since which the provider has reported, without interruption, that the charge accepts no more
   * payments; null if the charge still accepts them. Without this method, polling never ends.
   */
  disabledSince?(record: Record): Date | null
  /** Returns the number of milliseconds until the next reading. */
  pauseMs(context: TippingContext, record: Record, job: PollJob): Promise<number> | number
}

/**
 * How long a charge must have been disabled before its polling ends. An invoice that was issued earlier can still be
 * paid until it expires, and a payment may hang in the network for two weeks. No wallet's invoice lasts for the rest of
 * this time.
 */
const OVER_AFTER_MS = 30 * 24 * 3_600_000

/**
 * Polls a charge by its stored id, and credits each new slot. Polls ever more slowly, whether the charge is paid,
 * closed or neither, because late payments are credited too. Ends when the provider has reported for a month that the
 * charge is disabled, because nothing can arrive any more. Even then, a callback makes this function read the charge
 * again.
 */
export async function pollCharge<Record extends ChargeRecord, Paid extends Arrival>(
  context: TippingContext,
  kind: IncomingKind<Record, Paid>,
  job: PollJob,
): Promise<Next> {
  const record = await kind.find(context.database.read, job.id)
  if (record === null || !hasCharge(record)) return END
  const reading = await readCharge(context, kind, record)
  if (reading === 'credited' && (await isOver(context, kind, job.id))) return END
  const again = inMs(await kind.pauseMs(context, record, job))
  return reading === 'unread' ? unread(again) : again
}

async function isOver<Record extends ChargeRecord, Paid extends Arrival>(
  { database, clock, clockWatch }: ReadonlyBook,
  kind: IncomingKind<Record, Paid>,
  id: string,
): Promise<boolean> {
  const record = await kind.find(database.read, id)
  const since = record && kind.disabledSince?.(record)
  return since != null && clockWatch.isSteady() && clock.now() - since.getTime() >= OVER_AFTER_MS
}

/** Returns the change that notes whether a charge accepts payments; undefined if that is already noted. */
export function changeOfDisabled(
  before: { readonly disabled: boolean; readonly disabledSince: Date | null },
  disabled: boolean,
  at: Date,
): { readonly disabled: boolean; readonly disabledSince: Date | null } | undefined {
  if (disabled === before.disabled && disabled === (before.disabledSince !== null)) return undefined
  return { disabled, disabledSince: disabled ? at : null }
}

/**
 * Reads a charge now. Does not throw for the provider's faults, but logs them, and alerts operators if the provider has
 * changed or does not have the charge.
 */
export async function readCharge<Record extends ChargeRecord, Paid extends Arrival>(
  context: TippingContext,
  kind: IncomingKind<Record, Paid>,
  record: Record,
): Promise<Reading> {
  if (!hasCharge(record)) return 'refused'
  if (!isPresent(context, record.provider)) {
    await tellOfProviderLeft(context, record.provider)
    return 'refused'
  }
  try {
    return await kind.read(context, record, (arrivals) => credit(context, kind, record, arrivals))
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    context.logger.warn({ [kind.noun]: record.id, reason: error.message }, 'a static charge could not be read')
    await tellIfNotKnown(context, error, { ...record, remoteId: record.chargeId })
    // After a successful reading, a failed change of the charge leaves nothing unread.
    return isAnswer(error) || error.operation === 'updateStaticCharge' ? 'refused' : 'unread'
  }
}

function hasCharge<Record extends ChargeRecord>(record: Record): record is WithCharge<Record> {
  return record.chargeId !== null
}

/** Writes one entry for each slot, so that no slot is credited twice, however many readers there are. */
async function credit<Record extends ChargeRecord, Paid extends Arrival>(
  context: TippingContext,
  kind: IncomingKind<Record, Paid>,
  record: Record,
  arrivals: readonly Paid[],
): Promise<void> {
  const to = kind.accountOf(record)
  const change: LedgerChange<Tx> = {
    entries: arrivals.map(({ slot, amount }) => ({
      operation: record.id,
      step: `slot:${slot}`,
      moves: [{ from: WALLET, to, amount }],
    })),
    write: (tx) => kind.note(context, tx, record, arrivals),
  }
  try {
    await (kind.commit === undefined ? context.commit(change) : kind.commit(context, record, change))
  } catch (error) {
    if (!(error instanceof AlreadyWritten)) throw error
  }
}

/** The largest number of slots that one transaction credits. */
const BATCH_SIZE = 200

/** A charge of one fixed amount. The count of its slots proves the payments. */
export interface FixedCharge {
  readonly amount: bigint
  /**
   * The highest credible number of paid slots. In a race, the provider may accept a few payments too many, but a number
   * above this one is a mistake.
   */
  readonly maxSlots: number
  /** The charge's purpose, as an alert describes it: "a deposit of 5000 msats". */
  readonly about: string
}

/**
 * Credits the slots of a charge of one fixed amount. If the charge has changed, or was paid too often, credits nothing,
 * alerts operators and resolves to undefined.
 */
export async function readSlots(
  context: CoreContext,
  record: WithCharge<ChargeRecord>,
  { amount, maxSlots, about }: FixedCharge,
  credit: Credit<Arrival>,
): Promise<StaticCharge | undefined> {
  const { data } = await context.payments.getStaticCharge({ id: record.chargeId })
  if (data.minAmount !== amount || data.maxAmount !== amount || data.slots > maxSlots) {
    const text =
      `the charge ${record.chargeId} of ${about} now takes ${data.minAmount} to ${data.maxAmount} msats and was paid ` +
      `${data.slots} times; nothing is credited by itself`
    await context.commit({
      write: (tx) => raiseAlert(context, tx, { kind: 'deposit-changed', about: record.id, text }),
    })
    return undefined
  }
  for (let from = record.credited; from < data.slots; from += BATCH_SIZE) {
    const count = Math.min(BATCH_SIZE, data.slots - from)
    await credit(Array.from({ length: count }, (_, index) => ({ slot: from + index + 1, amount: msats(amount) })))
  }
  return data
}

/** Returns the counts of credited slots before and after these arrivals. */
export function slotsAround(arrivals: readonly Arrival[]): { readonly before: number; readonly after: number } {
  const [first, last] = [arrivals.at(0), arrivals.at(-1)]
  if (first === undefined || last === undefined) throw new Error('there are no payments to credit')
  return { before: first.slot - 1, after: last.slot }
}
