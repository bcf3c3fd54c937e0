import { type APIButtonComponentWithURL, ButtonStyle, ComponentType } from 'discord.js'
import { isOfThisMachine } from '../../lib/http/outgoing-url.ts'
import type { Translator } from '../i18n/translator.ts'

/** Our pages' addresses for messages; undefined if people's browsers cannot reach them. */
export interface Links {
  /** Returns the page of a card that requests a payment, or offers one. */
  pay(card: string): string | undefined
  /** Liabilities and the wallet's holdings. */
  readonly status: string | undefined
  /** Returns the page that shows a server's events on a stream, for a key that may read them. */
  overlay(key: string): string | undefined
  /** Where the operators explain the bot and offer help. */
  readonly docs?: string | undefined
  readonly support?: string | undefined
  /**
   * Whether members' browsers can reach an address that the provider named. This machine's addresses count only if
   * members are on it, too.
   */
  reaches(url: string): boolean
  /** Returns the page on which the member with this token connects a wallet: their own, or their server's. */
  connectWallet(token: string, about?: { readonly whose?: 'server'; readonly language: string }): string | undefined
  /** Returns a new one-time link to the operators' page; undefined if there is none. */
  operators(operator: { readonly id: string; readonly name: string }): Promise<OperatorsLink | undefined>
}

export interface OperatorsLink {
  readonly url: string
  /** Whether browsers elsewhere can reach it. Discord has no button for an address that only this machine can reach. */
  readonly onTheWeb: boolean
}

/** For a bot without a public address. */
export const NO_LINKS: Links = {
  pay: () => undefined,
  status: undefined,
  overlay: () => undefined,
  connectWallet: () => undefined,
  reaches: (url) => !isOfThisMachine(url),
  operators: async () => undefined,
}

/** Builds "Open in wallet"; nothing if there is no such page. */
export function payButtons(links: Links, card: string, t: Translator): APIButtonComponentWithURL[] {
  const url = links.pay(card)
  return url === undefined ? [] : [linkButton(url, t('payPage.openButton'), '📱')]
}

/** Builds a button that opens a page. */
export function linkButton(url: string, label: string, emoji: string): APIButtonComponentWithURL {
  return { type: ComponentType.Button, style: ButtonStyle.Link, label, url, emoji: { name: emoji } }
}
