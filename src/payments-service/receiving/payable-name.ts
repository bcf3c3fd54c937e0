import { withoutTag } from '../../lib/lightning/lnurl.ts'
import { buildMetadata } from '../../lib/lightning/lnurl-messages.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { UNLIMITED_SLOTS } from '../../payments-api/payments-api.ts'
import { unitOf } from '../engine/node/unit.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { StaticCharge } from '../generated/client.ts'
import type { InvoicePurpose } from './own-invoice.ts'
import { staticChargeUrl, statusOf } from './static-charge.ts'

/** The path at which wallets look up a name (LUD-16). */
export const LNURLP_PATH = '/.well-known/lnurlp'

/** A name that LNURL can pay: a static charge, or a user by their gamertag's Lightning Address. */
export interface PayableName {
  readonly minAmount: Msats
  readonly maxAmount: Msats
  /** The description that payers see. */
  readonly description: string
  /** LUD-06: the exact text behind the invoice's description hash. */
  readonly metadata: string
  /** The URL at which the wallet requests an invoice. */
  readonly callback: string
  /** Whether payments are accepted; false if every slot of a static charge has been paid. */
  readonly takesPayments: boolean
  /** LUD-11: whether one payment uses up the code, so that a wallet need not store it. */
  readonly disposable: boolean
  /** LUD-09: the text that the payer sees after the payment has settled; empty for none. */
  readonly successMessage: string
  /**
   * LUD-18: whether payers may identify themselves. They must not if slots are counted: all payers of an amount may
   * then get the same invoice, which would commit to the data of only one payer.
   */
  readonly asksWhoPays: boolean
  /**
   * NIP-57: the addresses by which wallets identify who is zapped. Empty if zaps are not offered, because zaps need a
   * Lightning Address without counted slots.
   */
  readonly zapUrls: readonly string[]
  readonly purpose: Pick<InvoicePurpose, 'resourceId' | 'payee'> & { readonly purpose: 'static-charge' | 'address' }
  /** The static charge whose slots payments use; undefined for a user's gamertag, which has no slots. */
  readonly staticChargeId: string | undefined
}

/** Returns the static charge with this id, in LNURL's form; undefined if there is none. */
export async function findPayableCharge(parts: ServiceParts, id: string): Promise<PayableName | undefined> {
  const charge = await parts.database.read.staticCharge.findUnique({ where: { id } })
  return charge === null ? undefined : payableCharge(parts, charge)
}

/**
 * Returns what can be paid under this name on our host, whatever tag the name has: an identifier's static charge, or a
 * gamertag's user (LUD-16).
 */
export async function findPayableName(parts: ServiceParts, name: string): Promise<PayableName | undefined> {
  const owner = await parts.names.find(withoutTag(name))
  if (owner?.staticChargeId !== undefined) return findPayableCharge(parts, owner.staticChargeId)
  if (owner?.userId === undefined) return undefined
  const unit = (await unitOf(parts)) === 'test sats' ? ' (test sats)' : ''
  const description = `Payment to ${owner.display}${unit}`
  return {
    minAmount: msats(1_000n),
    maxAmount: parts.settings.maxAmount,
    description,
    metadata: buildMetadata({ description, identifier: addressOf(parts, owner.display) }),
    callback: `${nameUrl(parts, owner.display)}/callback`,
    takesPayments: true,
    disposable: false,
    successMessage: '',
    asksWhoPays: true,
    zapUrls: [nameUrl(parts, owner.display)],
    purpose: { purpose: 'address', resourceId: owner.userId, payee: { kind: 'user', id: owner.userId } },
    staticChargeId: undefined,
  }
}

/** Returns the URL at which wallets look up a name on our host (LUD-16). */
export function nameUrl({ publicUrl }: Pick<ServiceParts, 'publicUrl'>, name: string): string {
  return `${publicUrl}${LNURLP_PATH}/${name.toLowerCase()}`
}

/** Returns the Lightning Address of a name on our host. */
export function addressOf({ publicUrl }: Pick<ServiceParts, 'publicUrl'>, name: string): string {
  return `${name.toLowerCase()}@${new URL(publicUrl).host}`
}

/** Converts a static charge to LNURL's form. */
export function payableCharge(parts: ServiceParts, charge: StaticCharge): PayableName {
  const { identifier, description } = charge
  const isUncounted = charge.allowedSlots >= UNLIMITED_SLOTS
  return {
    minAmount: charge.minAmount as Msats,
    maxAmount: charge.maxAmount as Msats,
    description,
    metadata: buildMetadata({
      description,
      identifier: identifier === null ? undefined : addressOf(parts, identifier),
    }),
    callback: `${staticChargeUrl(parts, charge.id)}/callback`,
    takesPayments: statusOf(charge) === 'active',
    disposable: charge.allowedSlots === 1,
    successMessage: charge.successMessage,
    asksWhoPays: isUncounted,
    zapUrls: isUncounted && identifier !== null ? [nameUrl(parts, identifier), staticChargeUrl(parts, charge.id)] : [],
    purpose: { purpose: 'static-charge', resourceId: charge.id, payee: { kind: 'project', id: charge.projectId } },
    staticChargeId: charge.id,
  }
}
