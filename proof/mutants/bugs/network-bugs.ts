import type { KnownBug } from './known-bug.ts'

const FINISH = 'src/payments-service/machines/sending/finish-payment.ts'
const FEE_LIMIT = 'src/payments-service/payments/fee-limit.ts'

const EXACT = '  return { fee, untold: msats(0), excess }'
/** The whole fee limit is charged, and what the way did not take stays with the operator. */
const wholeLimit = (of: string) => ({
  file: FINISH,
  text: EXACT,
  instead: `  if (${of} && excess === 0n) return { fee: msats(payment.maxFee), untold: msats(payment.maxFee - fee), excess }\n${EXACT}`,
})

/** Mistakes of the service about what it sends over the Lightning network, and what that costs whom. */
export const NETWORK_BUGS: readonly KnownBug[] = [
  {
    id: 'page-whole-fee-limit',
    does: 'charges users of the wallet page the whole fee limit of a payment',
    places: [wholeLimit("payment.payerKind === 'user'")],
  },
  {
    id: 'keysend-whole-fee-limit',
    does: 'charges the whole fee limit of a keysend',
    places: [wholeLimit("payment.kind === 'keysend'")],
  },
  {
    id: 'code-whole-fee-limit',
    does: 'charges the whole fee limit of a code to withdraw by',
    places: [wholeLimit('payment.withdrawalRequestId !== null')],
  },
  {
    id: 'wallet-gets-less-of-a-voucher',
    does: 'gives a wallet that claims a voucher six tenths of what the way leaves, and keeps the rest',
    places: [
      {
        file: FEE_LIMIT,
        text: 'return arrives * 2n >= amount ? arrives : undefined',
        instead: 'return arrives * 2n >= amount ? ((((arrives * 6n) / 10_000n) * 1_000n) as Msats) : undefined',
      },
    ],
  },
]
