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
 * The pages on which a card can be paid with the phone that shows the card. Anybody who has a card's id can open its
 * page: the card is shown only to people who may pay it, and its id cannot be guessed.
 */
export interface PayPages {
  /** Resolves to a card's page in the reader's language. `found` is false if there is nothing to pay. */
  show(card: string, acceptLanguage: string | undefined): Promise<{ readonly found: boolean; readonly page: Html }>
  /** Returns the page for an address at which there is no card. */
  missing(acceptLanguage: string | undefined): Html
  /** Resolves to a text that changes whenever the page does; undefined if there is nothing to pay. */
  state(card: string): Promise<string | undefined>
}

/** The source of people's names at Discord. By default, no names are shown. */
interface Names {
  readonly nameOf?: (member: string) => Promise<{ readonly shown: string; readonly username: string } | undefined>
}

/**
 * Creates the pages. `tipping` returns undefined until tipping has started, and until then there is nothing to pay.
 * `discord` returns the names of the people who request payments.
 */
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

/**
 * Returns the amount in another currency that was typed for the sum on the page. Undefined for other cards, such as a
 * fundraiser, whose typed amount is not the sum on the page.
 */
function askedFor({ kind, origin }: Card): string | undefined {
  return kind === 'deposit' || kind === 'invoice' ? origin?.asked : undefined
}

function stateOf({ state, invoice }: PayableCard): string {
  return state === 'open' && invoice !== undefined ? 'open, with an invoice' : state
}
