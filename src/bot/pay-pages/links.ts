import { type APIButtonComponentWithURL, ButtonStyle, ComponentType } from 'discord.js'
import { isOfThisMachine } from '../../lib/http/outgoing-url.ts'
import type { Translator } from '../i18n/translator.ts'

/**
 * The addresses of our pages for use in messages. An address is undefined if people's browsers cannot reach the page.
 */
export interface Links {
  /** Returns the address of the page of a card that requests or offers a payment. */
  pay(card: string): string | undefined
  /** The page with the bot's liabilities and the wallet's holdings. */
  readonly status: string | undefined
  /** Returns the page that shows a server's events on a stream, for a key that may read these events. */
  overlay(key: string): string | undefined
  /** The page on which the operators explain the bot, and the page on which they offer help. */
  readonly docs?: string | undefined
  readonly support?: string | undefined
  /**
   * Returns whether members' browsers can reach an address from the provider. An address of this machine counts only if
   * members use this machine, too.
   */
  reaches(url: string): boolean
  /** Returns the page on which the member with this token connects a wallet, for the member or for a server. */
  connectWallet(token: string, about?: { readonly whose?: 'server'; readonly language: string }): string | undefined
  /** Returns a new one-time link to the operators' page; undefined if there is no such page. */
  operators(operator: { readonly id: string; readonly name: string }): Promise<OperatorsLink | undefined>
}

export interface OperatorsLink {
  readonly url: string
  /**
   * Whether browsers on other machines can reach the link. Discord permits no button with an address that only this
   * machine can reach.
   */
  readonly onTheWeb: boolean
}

/** The links of a bot without a public address. */
export const NO_LINKS: Links = {
  pay: () => undefined,
  status: undefined,
  overlay: () => undefined,
  connectWallet: () => undefined,
  reaches: (url) => !isOfThisMachine(url),
  operators: async () => undefined,
}

/** Builds the button "Open in wallet"; nothing if the card has no page. */
export function payButtons(links: Links, card: string, t: Translator): APIButtonComponentWithURL[] {
  const url = links.pay(card)
  return url === undefined ? [] : [linkButton(url, t('payPage.openButton'), '📱')]
}

/** Builds a button that opens a page. */
export function linkButton(url: string, label: string, emoji: string): APIButtonComponentWithURL {
  return { type: ComponentType.Button, style: ButtonStyle.Link, label, url, emoji: { name: emoji } }
}
