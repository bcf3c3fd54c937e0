import { createQrPictures } from '../../lib/lightning/qr-pictures.ts'
import { msats } from '../../lib/money/amount.ts'
import type { Html } from '../../lib/web/html.ts'
import type { Card, Tipping } from '../../tipping/tipping.ts'
import { TippingRefusal } from '../../tipping/tipping.ts'
import { languageIn } from '../i18n/languages.ts'
import { createTranslators } from '../i18n/translator.ts'
import { askedWorth, fiatValueText } from '../messages/fiat-value.ts'
import { drawMissing, drawPayPage } from './draw-pay-page.ts'
import { type PayableCard, readPayable } from './payable-card.ts'

/**
 * Pages for paying a card on the phone that shows it. Anybody who knows a card's id can open its page: a card is shown
 * to people who may pay it, and its id cannot be guessed.
 */
export interface PayPages {
  /** Returns the page in the reader's language. `found` is false if there is nothing to pay. */
  show(card: string, acceptLanguage: string | undefined): Promise<{ readonly found: boolean; readonly page: Html }>
  /** Returns the page for an address without a card. */
  missing(acceptLanguage: string | undefined): Html
  /** Returns a state that changes with the page; undefined if there is nothing to pay. */
  state(card: string): Promise<string | undefined>
}

/** Names of people at Discord. Default: no names are shown. */
interface Names {
  readonly nameOf?: (member: string) => Promise<{ readonly shown: string; readonly username: string } | undefined>
}

/** `tipping` may start after the pages' server. Before that there is nothing to pay. `discord` names who asks. */
export function createPayPages(
  tipping: () => Tipping | undefined,
  discord: Names = {},
  qrPicture = createQrPictures(),
): PayPages {
  const translatorFor = createTranslators(() => tipping()?.testMoney ?? true)
  return {
    async show(card, acceptLanguage) {
      const found = await find(tipping(), card, true)
      const t = translatorFor(found?.language ?? languageIn(acceptLanguage))
      if (found === undefined) return { found: false, page: drawMissing(t) }
      const { payable, asked, testMoney, prices } = found
      const worth =
        asked === undefined
          ? fiatValueText(prices, msats(payable.amount), t)
          : t('fiatValue.about', { worth: askedWorth(asked, t) })
      const name = payable.asks && (await discord.nameOf?.(payable.asks.member))
      const asker = name && `${name.shown} (@${name.username})`
      const page = await drawPayPage({ card, payable, asker, state: stateOf(payable), testMoney, worth, qrPicture }, t)
      return { found: true, page }
    },
    missing: (acceptLanguage) => drawMissing(translatorFor(languageIn(acceptLanguage))),
    async state(card) {
      const found = await find(tipping(), card, false)
      return found && stateOf(found.payable)
    },
  }
}

async function find(tipping: Tipping | undefined, id: string, fresh: boolean) {
  if (tipping === undefined || !/^[0-9a-f-]{36}$/.test(id)) return undefined
  try {
    const card = await tipping.cards.get(id)
    const payable = card && (await readPayable(tipping, card, fresh))
    if (card === undefined || payable === undefined) return undefined
    // Private messages use the member's own language.
    const language = 'member' in card.audience ? tipping.preferences.languageOf(card.audience.member) : undefined
    return { payable, asked: askedFor(card), language, testMoney: tipping.testMoney, prices: tipping }
  } catch (error) {
    if (error instanceof TippingRefusal) return undefined
    throw error
  }
}

/** Returns the worth that was typed for the whole of what the page asks for. A fundraiser asks for more, for example. */
function askedFor({ kind, origin }: Card): string | undefined {
  return kind === 'deposit' || kind === 'invoice' ? origin?.asked : undefined
}

function stateOf({ state, invoice }: PayableCard): string {
  return state === 'open' && invoice !== undefined ? 'open, with an invoice' : state
}
