import { type PaymentsError, providerAddress } from '../../../payments-api/payments-api.ts'
import type { Book, CoreContext } from '../../core/context.ts'
import { raiseAlert } from './alerts.ts'

type Present = { readonly payments: Pick<CoreContext['payments'], 'provider'> }

/** Whether a record was made at the present provider, no matter with which of the provider's keys. */
export function isPresent({ payments }: Present, provider: string | null): boolean {
  return provider !== null && providerAddress(provider) === providerAddress(payments.provider)
}

/** Returns the condition on the column `provider` that a record was made at the present provider. */
export function atPresentProvider({ payments }: Present): { startsWith: string } {
  return { startsWith: `${providerAddress(payments.provider)}#` }
}

/**
 * Alerts operators, once, that open records were made at a provider that is no longer used, so these records cannot be
 * read.
 */
export async function tellOfProviderLeft(context: CoreContext, provider: string | null): Promise<void> {
  const about = providerAddress(provider ?? '#')
  const where = { kind_about: { kind: 'provider-left', about } }
  if ((await context.database.read.alert.findUnique({ where })) !== null) return
  const text =
    `deposits, payments or codes that have not ended were made at ${about}, but ${providerAddress(context.payments.provider)} ` +
    'is asked now: what becomes of them is not seen, and nothing that is paid to them is credited. Set PAYMENTS_BASE_URL ' +
    'back to it until they have ended'
  await context.commit({ write: (tx) => raiseAlert(context, tx, { kind: 'provider-left', about, text }) })
}

const ALERT_AFTER_MS = 3_600_000

/** A record whose outcome is read from the provider, which knows the record as `remoteId`. */
interface Remote {
  readonly id: string
  readonly remoteId: string | null
  readonly createdAt: Date
}

/**
 * Alerts operators, once, if the provider does not know a record an hour after the record was made. The record may
 * belong to another project.
 */
export async function tellIfNotKnown(context: Book, error: PaymentsError, of: Remote): Promise<void> {
  if (error.kind !== 'refused' || error.status !== 404) return
  const { id: about, remoteId, createdAt } = of
  if (context.clock.now() - createdAt.getTime() < ALERT_AFTER_MS) return
  const text =
    `the provider says that it does not know ${remoteId}, which was made for ${about} at ${createdAt.toISOString()}: what ` +
    'becomes of it is not seen, and what is paid to it is not credited. PAYMENTS_API_KEY must be a key of the project that ' +
    'made it'
  await context.commit({ write: (tx) => raiseAlert(context, tx, { kind: 'not-known-there', about, text }) })
}
