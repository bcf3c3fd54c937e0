import { z } from 'zod'
import { FetchFailed, OutgoingError } from '../../lib/http/guarded-fetch.ts'
import { InvalidLnurl, type LightningAddress, parseLightningAddress } from '../../lib/lightning/lnurl.ts'
import { askToPay, LnurlProblem } from '../../lib/lightning/lnurl-client.ts'
import type { PayParams } from '../../lib/lightning/lnurl-messages.ts'
import { operations, type WireOf } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { payParams } from '../receiving/lnurl-pay-routes.ts'
import { findPayableName } from '../receiving/payable-name.ts'

type Metadata = NonNullable<WireOf<typeof operations.validateLightningAddress>['data']['metadata']>

/**
 * Validate Lightning Address: reports whether a text is a Lightning Address at which somebody can be paid. The answer
 * `valid: false` is not an error.
 */
export const validateLightningAddress = implement(
  operations.validateLightningAddress,
  async ({ params, parts, caller }) => {
    const found = await findPayParams(parts, params.address, caller.projectId)
    return { data: found === undefined ? { valid: false } : { valid: true, metadata: show(found) } }
  },
)

async function findPayParams(parts: ServiceParts, text: string, projectId: string): Promise<PayParams | undefined> {
  const address = parse(parts, text)
  if (address === undefined) return undefined
  // Our own addresses are in the books, and the guarded fetch might not even be permitted to reach us.
  if (address.host === new URL(parts.publicUrl).host) {
    const own = await findPayableName(parts, address.user)
    return own?.takesPayments ? payParams(parts, own) : undefined
  }
  try {
    return (await askToPay(parts.fetch.for(projectId), address.url)).params
  } catch (error) {
    if (error instanceof FetchFailed && error.reason === 'busy') {
      throw new ServiceRefusal('rate_limited', `Too many addresses are being validated: ${error.message}.`, {
        'retry-after': '1',
      })
    }
    if (error instanceof LnurlProblem || error instanceof OutgoingError) return undefined
    throw error
  }
}

function parse({ settings }: ServiceParts, text: string): LightningAddress | undefined {
  try {
    return parseLightningAddress(text, { allowLoopbackHttp: settings.outgoingAllowLoopback })
  } catch (error) {
    if (error instanceof InvalidLnurl) return undefined
    throw error
  }
}

/** Returns only the interface's fields, without what other services add. By default, a code is disposable (LUD-11). */
function show(params: PayParams): Metadata {
  const { tag, callback, minSendable, maxSendable, metadata, commentAllowed, payerData, disposable } = params
  const asked = readAsked.safeParse(payerData).data
  return {
    minSendable,
    maxSendable,
    commentAllowed: commentAllowed ?? 0,
    tag,
    metadata,
    callback,
    ...(asked && { payerData: asked }),
    disposable: disposable !== false,
  }
}

const readMandatory = z
  .object({ mandatory: z.boolean().catch(false) })
  .optional()
  .catch(undefined)

/** The fields that the payer is asked for (LUD-18). */
const readAsked = z.object({ name: readMandatory, identifier: readMandatory })
