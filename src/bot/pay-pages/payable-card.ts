import type { Card, Tipping, VoucherView } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'

/** What a card's page shows: codes that a wallet can use now, or how the card ended. */
export interface PayableCard {
  /** Returns the title in the reader's language, without the name of the person who asks. */
  title(t: Translator): string
  /** Who asks everybody for it, and for what. */
  readonly asks?: { readonly member: string; readonly note: string }
  readonly amount: bigint
  /**
   * `over`: the reader can make a new code; `over-ask`: only somebody else can. `reached` and `closed` end a
   * fundraiser.
   */
  readonly state: 'open' | 'paid' | 'taken' | 'over' | 'over-ask' | 'reached' | 'closed'
  /** BOLT11, which every wallet reads. */
  readonly invoice: string | undefined
  /** An LNURL to pay or to withdraw. */
  readonly lnurl: string | undefined
  /** Whether anybody who scans the code gets the sats. */
  readonly pays: boolean
}

/**
 * Returns the code to pay or claim on a card; undefined if there is none. With `fresh`, a deposit whose invoice has
 * expired gets another one.
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
