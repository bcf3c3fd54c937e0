import { cut } from '../../lib/cut.ts'
import { floorToSat, type Msats, sats } from '../../lib/money/amount.ts'
import type { OwnWallet, WalletBudget } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Button, Call, Press } from '../interactions/command.ts'
import { button, type Message } from '../messages/message.ts'
import { colour, moment, panel, relative, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { linkButton } from '../pay-pages/links.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { drawAsked } from '../withdrawals/card.ts'
import { promisesButton } from './promises.ts'

/**
 * Draws the member's own wallet, as a part of the answer to `/wallet`; undefined if wallets cannot be connected here.
 */
export async function drawOwnWallet({ member, tipping, links, t }: Pick<Call, 'member' | 'tipping' | 'links' | 't'>) {
  // Only asks whether there is a page, without giving its address to anybody.
  if (!tipping.ownWallets.offered || links.connectWallet('') === undefined) return undefined
  const own = await tipping.ownWallets.mine(member)
  const title = t('ownWallet.title')
  const connect = button(walletConnect.verb, 'mine', t('ownWallet.connectButton'), { emoji: '🔌' })
  if (own === undefined) {
    // Promises from before the wallet was disconnected can be revoked.
    const buttons = (await tipping.ownWallets.promises(member)).length > 0 ? [connect, promisesButton(t)] : [connect]
    return { embeds: [panel(colour.satchel, [t('ownWallet.offer')], { title })], buttons }
  }
  const [here, holds, budget, promises] = await Promise.all([
    tipping.balances.available(member),
    tipping.ownWallets.holds(member),
    tipping.ownWallets.budget(member),
    tipping.ownWallets.promises(member),
  ])
  const lines = [
    t('ownWallet.connected', { name: walletName(own), since: moment(own.since) }),
    ...rightsOf(own, tipping.holdsSats, t),
    drawHoldings(own, holds, t) ?? t('ownWallet.untold'),
    budget === undefined ? '' : drawBudget(budget, t),
    here >= sats(1) ? t('ownWallet.balanceHere', { amount: floorToSat(here) }) : '',
  ]
  const end = button(walletDisconnect.verb, 'mine', t('ownWallet.disconnectButton'), { emoji: '🗑️' })
  const move = here >= sats(1) && own.receives ? [walletMoveButton('mine', own.name, t)] : []
  return {
    embeds: [panel(colour.done, lines, { title })],
    buttons: [...move, ...(promises.length > 0 ? [promisesButton(t)] : []), end],
  }
}

/** Describes a connected wallet's balance; undefined if the connection may not read the balance. */
export function drawHoldings(own: OwnWallet, holds: Msats | 'silent' | undefined, t: Translator): string | undefined {
  if (holds === undefined) return undefined
  const name = walletName(own)
  return holds === 'silent'
    ? t('ownWallet.silent', { name })
    : t('ownWallet.holds', { name, amount: floorToSat(holds) })
}

/** Describes the budget of a wallet's connection: the sum that it may still spend, and the total. */
export function drawBudget({ left, total }: WalletBudget, t: Translator): string {
  return t('connectPage.budgetLeft', { left: t.amount(floorToSat(left)), total: t.amount(total) })
}

/** The name for a wallet that reports none. */
const NAMELESS = 'NWC'

/** Returns the name that a wallet reports, quoted for use in a sentence. */
export function walletName({ name }: OwnWallet): string {
  return quotable(name || NAMELESS)
}

/**
 * Explains a connection's rights, and what does not work without the missing rights. If members have no balances, no
 * balance can pay in place of the wallet.
 */
export function rightsOf({ pays, receives, looksUp }: OwnWallet, holdsSats: boolean, t: Translator): string[] {
  const [does, doesNot, receivesNot] = holdsSats
    ? (['ownWallet.pays', 'ownWallet.paysNot', 'ownWallet.receivesNot'] as const)
    : (['noCustody.pays', 'noCustody.paysNot', 'noCustody.receivesNot'] as const)
  return [
    t(pays ? does : doesNot),
    t(receives ? 'ownWallet.receives' : receivesNot),
    ...(looksUp ? [] : [t('ownWallet.looksUpNot')]),
  ]
}

/** Sends the person who presses it a link to the page on which a wallet is connected. */
export const walletConnect = {
  verb: 'wallet-connect',
  names: 'nothing',
  answer: 'private',
  async press({ member, origin, tipping, links, t }: Press) {
    if (!tipping.ownWallets.offered) throw new CommandRefusal('commandRefusals.stale-button')
    const { token, until } = await tipping.ownWallets.invite({ member, locale: origin.locale })
    const url = links.connectWallet(token, { language: t.locale })
    if (url === undefined) throw new CommandRefusal('commandRefusals.connect-page-here')
    return { say: drawInvitation({ url, until, title: t('ownWallet.title') }, t) }
  },
} satisfies Button

/** Builds the message with the link to the page on which a wallet is connected. */
export function drawInvitation(
  { url, until, title }: { readonly url: string; readonly until: Date; readonly title: string },
  t: Translator,
): Message {
  const lines = [t('ownWallet.invite'), small(t('ownWallet.inviteUntil', { until: relative(until) }))]
  return {
    embeds: [panel(colour.satchel, lines, { title })],
    buttons: [linkButton(url, t('ownWallet.openButton'), '🔌')],
  }
}

/** Asks the person who presses it whether to move the person's balance to the wallet in the button's label. */
export const walletMove = {
  verb: 'wallet-move',
  names: 'nothing',
  answer: 'private',
  async press({ record, member, userName, origin, tipping, t }: Press) {
    // Where no balance is held, no deposit brings it back.
    const warning = tipping.holdsSats ? {} : { content: t('ownWallet.moveForGood') }
    if (record !== 'account') {
      const asked = await tipping.withdrawals.askToMove({ member, origin })
      const own = await tipping.ownWallets.mine(member)
      const goes = own && t('ownWallet.moveTo', { name: walletName(own) })
      return { say: { ...drawAsked(asked, tipping, t, goes), ...warning } }
    }
    const { gamertag } = await tipping.links.ownAccount({ member, name: userName, origin })
    const asked = await tipping.withdrawals.ask({ member, origin, to: gamertag, amount: 'all' })
    return { say: { ...drawAsked(asked, tipping, t), ...warning } }
  },
} satisfies Button

/**
 * Builds the button that moves a balance to the member's connected wallet, or to the member's account at the payments
 * service. The label names the destination, because a message can show both buttons.
 */
export function walletMoveButton(into: 'mine' | 'account', name: string, t: Translator) {
  return button(walletMove.verb, into, t('ownWallet.moveButton', { name: nameOnButton(name) }), { emoji: '👛' })
}

/** Returns a wallet's name for a button: plain text, short enough for a label. */
export function nameOnButton(name: string): string {
  return cut(name || NAMELESS, 30)
}

/** Disconnects the wallet of the person who presses it. */
export const walletDisconnect = {
  verb: 'wallet-disconnect',
  names: 'nothing',
  answer: 'private',
  async press({ member, tipping, t }: Press) {
    const was = await tipping.ownWallets.disconnect(member)
    return { say: { content: t(was ? 'ownWallet.disconnected' : 'ownWallet.nothing') } }
  },
} satisfies Button
