import type { Guard } from './guard.ts'

/** What a second attacker ran into. */
export const SECOND_ATTACK_GUARDS: readonly Guard[] = [
  {
    fault: 'formulas in exports',
    holds: 'a text in a CSV file is no formula',
    places: [{ file: 'src/bot/files/csv.ts', text: '"$1$2\'")', without: '"$1$2")' }],
    test: 'test/bot/csv.test.ts',
    named: 'is no formula',
  },
  {
    fault: 'formulas in exports',
    holds: 'also where a spreadsheet splits the text into cells of its own',
    places: [{ file: 'src/bot/files/csv.ts', text: '(^|[;\\t\\r\\n])', without: '(^)' }],
    test: 'test/bot/csv.test.ts',
    named: 'is no formula',
  },
  {
    fault: 'a web page acts on this machine',
    holds: 'the playground answers under no name that may be a rebound one',
    places: [
      {
        file: 'src/playground/page-server.ts',
        text: 'if (isMachineHost(host)) return',
        without: 'if (isMachineHost(host) || host) return',
      },
    ],
    test: 'test/playground/foreign-names.test.ts',
    named: 'which may be a rebound one',
  },
  {
    fault: 'strangers slow everybody',
    holds: 'the QR code of a pay page is drawn once',
    places: [
      {
        file: 'src/bot/pay-pages/pay-pages.ts',
        text: 'testMoney, qrPicture }, t),',
        without: 'testMoney, qrPicture: createQrPictures() }, t),',
      },
    ],
    test: 'test/bot/pay-pages.test.ts',
    named: 'draws its QR code once',
  },
  {
    fault: 'strangers slow everybody',
    holds: 'one address searches the reference a few times a second',
    places: [
      {
        file: 'src/payments-service/docs-page/docs-page.ts',
        text: '    searches.take(request.ip)\n',
        without: '',
      },
    ],
    test: 'test/payments-service/docs-page/docs-page.test.ts',
    named: 'has a limit for each address',
  },
  {
    fault: 'strangers slow everybody',
    holds: 'one member has a few addresses asked at once',
    places: [
      {
        file: 'src/tipping/withdrawals/fetch-invoice.ts',
        text: 'askToPay(context.egress.fetch.for(address.member), address.url)',
        without: 'askToPay(context.egress.fetch, address.url)',
      },
    ],
    test: 'test/tipping/withdrawals/addresses.test.ts',
    named: 'has eight addresses asked at once',
  },
  {
    fault: 'strangers slow everybody',
    holds: 'one user of the wallet page has a few withdraw codes asked at once',
    places: [
      {
        file: 'src/payments-service/wallet-page/claim-page.ts',
        text: 'parts.fetch.for(user.id)',
        without: 'parts.fetch',
      },
    ],
    test: 'test/payments-service/wallet-page/one-user-alone.test.ts',
    named: 'has eight codes asked at once',
  },
  {
    fault: 'secrets in logs',
    holds: 'the address of a pay page is in no log',
    places: [{ file: 'src/lib/redaction.ts', text: '  /(\\/pay\\/)[\\da-f-]{36}/gi,\n', without: '' }],
    test: 'test/lib/logger.test.ts',
    named: 'the address of a pay page',
  },
]
