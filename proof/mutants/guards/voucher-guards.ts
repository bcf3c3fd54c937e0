import type { Guard } from './guard.ts'

const CLAIM = 'src/payments-service/vouchers/claim-voucher.ts'
const FINISH = 'src/payments-service/machines/sending/finish-payment.ts'
const CLAIMS = 'test/payments-service/vouchers/wallet-claims.test.ts'

/** What guards a voucher that any wallet may claim. */
export const VOUCHER_GUARDS: readonly Guard[] = [
  {
    fault: 'voucher-by-wallet',
    holds: "a wallet's claim takes the voucher's sats out of escrow, so that nothing else ends the voucher",
    places: [
      {
        file: CLAIM,
        text: '[voucherEscrow(voucher.id), inFlight(payerOf(payment))]',
        without: "[{ kind: 'fee_income', owner: 'vouchers' }, inFlight(payerOf(payment))]",
      },
    ],
    test: CLAIMS,
    named: 'can neither be redeemed by its code',
  },
  {
    fault: 'voucher-by-wallet',
    holds: 'the same invoice again is answered, not paid',
    places: [
      {
        file: CLAIM,
        text: 'if (claim?.paymentHash === paymentHash) return claim',
        without: 'if (claim === null) return claim',
      },
    ],
    test: CLAIMS,
    named: 'with the same invoice again is answered',
  },
  {
    fault: 'voucher-by-wallet',
    holds: 'a wallet gets what the voucher names, no more and no less',
    places: [
      { file: CLAIM, text: 'if (amount === walletAmount) return', without: 'if (walletAmount !== null) return' },
    ],
    test: CLAIMS,
    named: 'for all of the voucher is refused',
  },
  {
    fault: 'voucher-by-wallet',
    holds: 'an invoice of ours is not paid over the node',
    places: [
      {
        file: CLAIM,
        text: 'if ((await findOwn(parts, payable)) !== undefined) {',
        without: 'if (payable === undefined) {',
      },
    ],
    test: CLAIMS,
    named: 'by a wallet of this service',
  },
  {
    fault: 'voucher-by-wallet',
    holds: 'wrong secrets of vouchers count like wrong codes',
    places: [{ file: CLAIM, text: 'await wrongCodes.count(guesser)', without: 'await Promise.resolve(guesser)' }],
    test: CLAIMS,
    named: 'is not reached with the short code',
  },
  {
    fault: 'voucher-by-wallet',
    holds: 'a claim that failed puts the sats back into escrow',
    places: [
      {
        file: FINISH,
        text: 'to: voucherEscrow(payment.voucherId), amount',
        without: 'to: wallet(payer), amount',
      },
    ],
    test: CLAIMS,
    named: 'is open again as soon as',
  },
  {
    fault: 'voucher-by-wallet',
    holds: 'a voucher that a wallet was paid for since the backup is not paid again after a restore',
    places: [
      {
        file: 'src/payments-service/administration/after-restore.ts',
        text: 'data: { walletSecret: null, walletAmount: null }',
        without: 'data: {}',
      },
    ],
    test: 'test/payments-service/vouchers/after-restore.test.ts',
    named: 'pays no wallet; its code works',
  },
  {
    fault: 'voucher-by-wallet',
    holds: 'a restore closes what wallets could be paid for again',
    places: [
      {
        file: 'src/assembly/backup/prove-restored.ts',
        text: 'return await closeToWallets(payments, new Date(madeAt))',
        without: 'return { vouchers: 0, withdrawalRequests: 0 }',
      },
    ],
    test: 'test/assembly/restored-claims.test.ts',
    named: 'is closed to wallets elsewhere',
  },
]
