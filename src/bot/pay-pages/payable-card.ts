import type { Card, Tipping, VoucherView } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'

/** The content of a card's page: the codes that a wallet can use now, or how the card ended. */
export interface PayableCard {
  /** Returns the title in the reader's language, without the name of the person who asks. */
  title(t: Translator): string
  /** The member who requests the payment from everybody, and the purpose. */
  readonly asks?: { readonly member: string; readonly note: string }
  readonly amount: bigint
  /**
   * The state of the card. `over`: the code is no longer valid, and the reader can request a new code; `over-ask`: only
   * somebody else can. `reached` and `closed`: a fundraiser has ended.
   */
  readonly state: 'open' | 'paid' | 'taken' | 'over' | 'over-ask' | 'reached' | 'closed'
  /** A BOLT11 invoice, which every wallet can read. */
  readonly invoice: string | undefined
  /** An LNURL for paying or withdrawing. */
  readonly lnurl: string | undefined
  /** Whether anybody who scans the code gets the sats. */
  readonly pays: boolean
}

/**
 * Resolves to the content of a card's page; undefined if the card has nothing to pay or claim. With `fresh`, a deposit
 * whose invoice has expired gets a new invoice.
 */
export async function readPayable(tipping: Tipping, card: Card, fresh: boolean): Promise<PayableCard | undefined> {
  switch (card.kind) {
    case 'deposit': {
      const view = await (fresh ? tipping.deposits.toPay(card.record) : tipping.deposits.view(card.record))
      const { amount, invoice, request, member, asking } = view
      const state = view.state === 'closed' ? (asking ? 'over-ask' : 'over') : view.state
      const isForTip = (await tipping.invoicedTips.view(card.record)) !== undefined
      const title = (t: Translator) => t(isForTip || asking ? 'payPage.pay' : 'deposit.title', { amount })
      const asks = asking && { member, note: asking.note }
      return { title, ...(asks && { asks }), amount, state, invoice, lnurl: request, pays: false }
    }
    case 'invoice': {
      const { amount, request, state, member, description: note } = await tipping.invoices.view(card.record)
      const shown = state === 'open' ? 'open' : state === 'expired' ? 'over-ask' : 'paid'
      const title = (t: Translator) => t('payPage.pay', { amount })
      return { title, asks: { member, note }, amount, state: shown, invoice: request, lnurl: undefined, pays: false }
    }
    case 'wallet-invoice': {
      const { amount, invoice, state: shown } = await tipping.ownWallets.byHand(card.record)
      const state = shown === 'unseen' ? 'over' : shown
      const title = (t: Translator) => t('payPage.pay', { amount })
      return { title, amount, state, invoice, lnurl: undefined, pays: false }
    }
    case 'fundraiser': {
      const { amount, request, state, public: isPublic } = await tipping.pools.fundraiser(card.record)
      const shown = state === 'open' || isPublic ? state : 'paid'
      const title = (t: Translator) => t('pool.chargeTitle', { amount })
      return { title, amount, state: shown, invoice: undefined, lnurl: request, pays: false }
    }
    case 'withdrawal': {
      const { amount, request, state } = await tipping.withdrawals.view(card.record)
      const isOpen = state === 'offered' && request !== undefined
      const shown = isOpen ? 'open' : state === 'claimed' || state === 'paid' ? 'taken' : 'over'
      const title = (t: Translator) => t('payPage.take', { amount })
      return { title, amount, state: shown, invoice: undefined, lnurl: request, pays: true }
    }
    case 'voucher': {
      const view = await tipping.vouchers.view(card.record)
      // Only its recipient may take it.
      return view.recipient === undefined ? ofVoucher(view) : undefined
    }
    case 'voucher-gift':
      return ofVoucher(await tipping.vouchers.view(card.record))
    case 'drop-claim': {
      const { voucher } = await tipping.drops.claimView(card.record)
      return voucher && ofVoucher(await tipping.vouchers.view(voucher.id))
    }
    default:
      return undefined
  }
}

function ofVoucher({ amount, state, anyWallet }: VoucherView): PayableCard | undefined {
  if (anyWallet === undefined && state === 'live') return undefined
  const shown = anyWallet !== undefined ? 'open' : state === 'redeemed' ? 'taken' : 'over-ask'
  const arrives = anyWallet?.amount ?? amount
  const title = (t: Translator) => t('payPage.take', { amount: arrives })
  return { title, amount: arrives, state: shown, invoice: undefined, lnurl: anyWallet?.request, pays: true }
}
