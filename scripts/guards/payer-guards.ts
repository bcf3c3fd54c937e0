import type { Guard } from './guard.ts'

const PAY = 'test/payments-service/receiving/lnurl-pay.test.ts'

/** What guards what payers and receivers say about themselves. */
export const PAYER_GUARDS: readonly Guard[] = [
  {
    fault: 'who pays',
    holds: 'an invoice commits to what the payer said',
    places: [
      {
        file: 'src/payments-service/receiving/hand-out-invoice.ts',
        text: 'const text = payable.metadata + payerData',
        without: 'const text = payable.metadata',
      },
    ],
    test: PAY,
    named: 'is in what the invoice commits to',
  },
  {
    fault: 'who pays',
    holds: 'what the payer said has bounds',
    places: [
      {
        file: 'src/lib/lightning/payer-data.ts',
        text: '  if (text.length > MAX_PAYER_DATA_LENGTH) return undefined\n',
        without: '',
      },
    ],
    test: PAY,
    named: 'is refused in words when it is more than fits',
  },
  {
    fault: 'who pays',
    holds: 'nobody who shares an invoice is taken for the one who said who they are',
    places: [
      {
        file: 'src/payments-service/receiving/payable-name.ts',
        text: 'asksWhoPays: charge.allowedSlots >= UNLIMITED_SLOTS',
        without: 'asksWhoPays: true',
      },
    ],
    test: PAY,
    named: 'is neither asked nor heard where slots are counted',
  },
  {
    fault: 'who pays',
    holds: 'a receiver that must know who pays is told nothing',
    places: [{ file: 'src/tipping/withdrawals/fetch-invoice.ts', text: '    refusePayerData(offer)\n', without: '' }],
    test: 'test/tipping/withdrawals/asking.test.ts',
    named: 'that wants to know who pays',
  },
]
