import { withoutTag } from '../../lib/lightning/lnurl.ts'
import { buildMetadata } from '../../lib/lightning/lnurl-messages.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { UNLIMITED_SLOTS } from '../../payments-api/payments-api.ts'
import { unitOf } from '../engine/node/unit.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { StaticCharge } from '../generated/client.ts'
import type { InvoicePurpose } from './own-invoice.ts'
import { staticChargeUrl, statusOf } from './static-charge.ts'

/** The longest comment that a payer may leave (LUD-12), in characters. */
export const COMMENT_ALLOWED = 255
/** Where LUD-16 looks a name up. */
export const LNURLP_PATH = '/.well-known/lnurlp'

/** Something that can be paid by LNURL: a static charge, or a user by the Lightning Address of the gamertag. */
export interface PayableName {
  readonly minAmount: Msats
  readonly maxAmount: Msats
  /** Description shown to payers. */
  readonly description: string
  /** LUD-06: the exact text that the invoice's description hash is of. */
  readonly metadata: string
  /** Where the wallet asks for an invoice. */
  readonly callback: string
  /** False when every slot of a static charge has been paid. */
  readonly takesPayments: boolean
  /** LUD-11: whether the code is spent by one payment, so that a wallet need not keep it. */
  readonly disposable: boolean
  /** LUD-09: shown to the payer after the payment settled; empty for nothing. */
  readonly successMessage: string
  /**
   * LUD-18: whether payers may say who they are. Not where slots are counted: all payers of an amount may get one
   * invoice there, and it commits to what one payer said.
   */
  readonly asksWhoPays: boolean
  /**
   * NIP-57: the addresses by which wallets know who is zapped. Empty where zaps are not offered: they need a Lightning
   * Address without counted slots.
   */
  readonly zapUrls: readonly string[]
  readonly purpose: Pick<InvoicePurpose, 'resourceId' | 'payee'> & { readonly purpose: 'static-charge' | 'address' }
  /** The slots that payments may take; undefined if they are not counted. */
  readonly staticChargeId: string | undefined
}

/** The static charge with this id, as LNURL shows it. */
export async function findPayableCharge(parts: ServiceParts, id: string): Promise<PayableName | undefined> {
  const charge = await parts.database.read.staticCharge.findUnique({ where: { id } })
  return charge === null ? undefined : payableCharge(parts, charge)
}

/** The one that has this name on our host, whatever its tag: an identifier's static charge, or a gamertag's user (LUD-16). */
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

/** Where LUD-16 looks a name on our host up. */
export function nameUrl({ publicUrl }: Pick<ServiceParts, 'publicUrl'>, name: string): string {
  return `${publicUrl}${LNURLP_PATH}/${name.toLowerCase()}`
}

/** The Lightning Address of a name on our host. */
export function addressOf({ publicUrl }: Pick<ServiceParts, 'publicUrl'>, name: string): string {
  return `${name.toLowerCase()}@${new URL(publicUrl).host}`
}

/** A static charge, as LNURL shows it. */
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
