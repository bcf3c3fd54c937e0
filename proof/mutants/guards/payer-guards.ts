import type { Guard } from './guard.ts'

const ZAP_REQUEST = 'src/payments-service/machines/zaps/zap-request.ts'
const ZAPS = 'test/payments-service/receiving/zaps.test.ts'
const PAY = 'test/payments-service/receiving/lnurl-pay.test.ts'

/** What guards what payers and receivers say about themselves. */
export const PAYER_GUARDS: readonly Guard[] = [
  {
    fault: 'who pays',
    holds: 'an invoice commits to what the payer said',
    places: [
      {
        file: 'src/payments-service/receiving/hand-out-invoice.ts',
        text: 'const committed = payable.metadata + payerData',
        without: 'const committed = payable.metadata',
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
        text: 'asksWhoPays: isUncounted',
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
  {
    fault: 'zaps',
    holds: 'a zap request has the signature of the account that it names',
    places: [
      {
        file: ZAP_REQUEST,
        text: 'return verifyEvent(event) ? { event, relays }',
        without: 'return verifyEvent !== undefined ? { event, relays }',
      },
    ],
    test: ZAPS,
    named: 'changed after it was signed',
  },
  {
    fault: 'zaps',
    holds: 'a zap is paid with the amount that its receipt will name',
    places: [{ file: ZAP_REQUEST, text: 'amount !== target.amount.toString()', without: 'amount === ""' }],
    test: ZAPS,
    named: 'for another amount',
  },
  {
    fault: 'zaps',
    holds: 'receipts go to no relay inside the network of the service',
    places: [
      {
        file: 'src/lib/nostr/publish-event.ts',
        text: '(address) => mayConnect(url.protocol, address, allowLoopback)',
        without: '(address) => address !== ""',
      },
    ],
    test: 'test/lib/nostr/publish-event.test.ts',
    named: 'never connects to a name that stands for',
  },
  {
    fault: 'zaps',
    holds: 'receipts of test sats stay on this machine',
    places: [{ file: ZAP_REQUEST, text: " && (relays === 'public' || isHere(url))", without: '' }],
    test: ZAPS,
    named: 'a relay that is never spoken to',
  },
  {
    fault: 'zaps',
    holds: 'a receipt waits in the book until a relay has it',
    places: [
      {
        file: 'src/payments-service/machines/zaps/zaps.ts',
        text: "answer.said === 'silent' ? PAUSES_MS[attempts] : undefined",
        without: "answer.said === ('never' as string) ? PAUSES_MS[attempts] : undefined",
      },
    ],
    test: ZAPS,
    named: 'is published after a restart',
  },
]
