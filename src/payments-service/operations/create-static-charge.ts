import { operations, UNLIMITED_SLOTS } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'
import { takeIdentifier } from '../engine/names/identifiers.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import { refuseCodeWithoutRoom } from '../engine/node/refuse-unready.ts'
import type { StaticCharge } from '../generated/client.ts'
import { refuseWithoutHashes } from '../receiving/own-invoice.ts'
import { showStaticCharge } from '../receiving/static-charge.ts'

/**
 * Create Static Charge: creates a reusable code whose payments credit the project wallet, optionally with a Lightning
 * Address.
 */
export const createStaticCharge = implement(operations.createStaticCharge, async ({ body, caller, parts, commit }) => {
  refuseWithoutHashes(parts)
  refuseAboveMaximum(parts, body.maxAmount)
  await refuseCodeWithoutRoom(parts, body.minAmount)
  const now = parts.clock.now()
  const charge: StaticCharge = {
    id: parts.entropy.uuid(),
    projectId: caller.projectId,
    minAmount: body.minAmount,
    maxAmount: body.maxAmount,
    description: body.description,
    successMessage: body.successMessage ?? '',
    allowedSlots: body.allowedSlots ?? UNLIMITED_SLOTS,
    slots: 0,
    internalId: body.internalId ?? '',
    callbackUrl: body.callbackUrl ?? '',
    identifier: body.identifier ?? null,
    status: 'active',
    createdAt: new Date(now),
  }
  const { identifier } = body
  return commit(
    {
      rows: [{ table: 'StaticCharge', values: { ...charge } }],
      ...(identifier !== undefined && {
        write: (tx) => takeIdentifier(parts, tx, charge, identifier),
      }),
    },
    { message: 'Static Charge created.', data: showStaticCharge(parts, charge) },
  )
})
