import { createGuardedFetch } from '../lib/http/guarded-fetch.ts'
import type { TippingAdministration } from './administration/administration.ts'
import { createAdministration } from './administration/create-administration.ts'
import { AuditConsequences } from './audit/act-on-audit.ts'
import { proverHere } from './audit/open-prover.ts'
import { RateSource } from './core/rates.ts'
import { DEFAULT_SETTINGS } from './core/settings.ts'
import { assemble, openBook, type TippingOptions } from './create-tipping.ts'
import { createWindDowns } from './wind-down/create-wind-downs.ts'
import type { WindDowns } from './wind-down/wind-down.ts'

/** Operators' access to a book, also while bots use it. */
export interface OperatorAccess {
  readonly administration: Pick<
    TippingAdministration,
    'unknown' | 'decide' | 'book' | 'proposals' | 'cancel' | 'pause' | 'resume'
  >
  readonly windDown: Omit<WindDowns, 'notice'>
  /** Whether the book counts test sats. */
  readonly testMoney: boolean
  close(): Promise<void>
}

/**
 * Opens the members' book for operators alone, even while bots use it. Takes nothing over, and neither polls nor sends.
 * Each write is checked in the book, like every bot's. Throws DatabaseProblem or OtherNetwork.
 */
export async function openOperatorAccess(options: Omit<TippingOptions, 'alone'>): Promise<OperatorAccess> {
  const { clock, logger } = options
  const database = await openBook(options)
  const fetch = options.outgoing ?? createGuardedFetch({ allowLoopback: false, clock })
  const rates = new RateSource({ url: undefined, currency: DEFAULT_SETTINGS.currency, fetch, clock, logger })
  // It is not one of the book's processes, so it does no work that one bot does for all.
  const context = assemble({ ...options, alone: false }, { database, fetch, providerFetch: fetch, rates })
  const prover = proverHere(context)
  const close = async () => {
    context.poller.close()
    await context.activity.close(context.settings.closeTimeoutMs)
    if (options.outgoing === undefined) await fetch.close()
    await context.ledger.close()
    await prover.close()
    if (typeof options.database === 'string') await database.close()
  }
  try {
    await context.network.load(context, options.network)
    await context.outgoingSwitch.load(context)
  } catch (error) {
    await close()
    throw error
  }
  const administration = createAdministration(context, { prover, consequences: new AuditConsequences() })
  return { administration, windDown: createWindDowns(context), testMoney: context.network.isTest, close }
}
