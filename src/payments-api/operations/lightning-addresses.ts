import { z } from 'zod'
import { type Operation, successAndData } from '../operation.ts'
import { everyOperation, everyPath } from '../refusals.ts'
import { name } from '../request-fields.ts'
import { announcedAmount, flag, optional, optionalCount, optionalFlag, shape, text } from '../response-fields.ts'

const asked = optional(shape({ mandatory: optionalFlag('Whether the payer must tell it.') }))

export const lightningAddress = shape(
  {
    valid: flag('Whether the address answers as a Lightning Address.'),
    metadata: optional(
      shape({
        minSendable: announcedAmount('Smallest payment, in msats.'),
        maxSendable: announcedAmount('Largest payment, in msats.'),
        commentAllowed: optionalCount('Longest comment, in characters; 0 for none (LUD-12).'),
        tag: text('`payRequest`.'),
        metadata: text('Metadata entries as JSON text (LUD-06).'),
        callback: text('Where an invoice is to be had.'),
        payerData: optional(shape({ name: asked, identifier: asked })),
        disposable: optionalFlag('Whether the code is to be used only once (LUD-11).'),
      }),
    ),
  },
  'LightningAddress',
)

export const validateLightningAddress = {
  name: 'validateLightningAddress',
  verb: 'GET',
  path: '/v0/ln-address/validate/{address}',
  host: 'alt',
  family: 'Lightning Addresses',
  scope: 'read',
  idempotent: true,
  additive: false,
  summary: 'Validate Lightning Address',
  description:
    'Tells a Lightning Address from an e-mail address by asking it. One that does not answer as one is `valid: false`, without metadata; that is not an error.',
  params: z.strictObject({ address: name('The address, `name@host`.') }),
  body: undefined,
  response: successAndData(lightningAddress),
  refusals: [...everyOperation, ...everyPath],
  secrets: [],
} as const satisfies Operation
