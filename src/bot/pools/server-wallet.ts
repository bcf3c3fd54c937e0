import type { APIButtonComponentWithCustomId } from 'discord.js'
import { floorToSat } from '../../lib/money/amount.ts'
import type { OwnWallet, Spendable } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Asking, Button, Press } from '../interactions/command.ts'
import { serverOfModerator } from '../interactions/in-server.ts'
import { button } from '../messages/message.ts'
import { drawBudget, drawHoldings, drawInvitation, walletName } from '../own-wallets/own-wallet.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'

/** The wallet that pays a server's rewards, as its moderators see it. */
export interface ServerWallet {
  /** The connected wallet, or undefined if there is none. */
  readonly own: OwnWallet | undefined
  /** What the wallet may still spend; undefined if it was not asked. */
  readonly spendable: Spendable | undefined
  /** Whether a wallet can be connected, which needs a page that browsers can reach. */
  readonly offered: boolean
}

/**
 * Reads the server's wallet. For moderators, also requests from the wallet what it may still spend, which takes a few
 * seconds at most.
 */
export async function serverWalletOf(
  { tipping: { ownWallets }, links }: Pick<Asking, 'tipping'> & Pick<Press, 'links'>,
  guild: string,
  isModerator: boolean,
): Promise<ServerWallet> {
  const own = await ownWallets.ofServer(guild)
  const spendable = own !== undefined && isModerator ? await ownWallets.spendable(guild) : undefined
  return { own, spendable, offered: ownWallets.offered && links.connectWallet('') !== undefined }
}

/** Shows the wallet's name, and what it may still spend. */
export function walletLines({ own, spendable }: ServerWallet, t: Translator): string[] {
  if (own === undefined) return []
  const left = spendableLine(own, spendable, t)
  return [t('pool.wallet', { name: walletName(own) }), ...(left === undefined ? [] : [left])]
}

function spendableLine(own: OwnWallet, spendable: Spendable | undefined, t: Translator): string | undefined {
  if (typeof spendable !== 'object') return drawHoldings(own, spendable, t)
  if ('holds' in spendable) return drawHoldings(own, spendable.holds, t)
  return drawBudget(spendable.budget, t)
}

/** Shows the wallet's name and what it may still spend in one short line, for a list of settings. */
export function walletInBrief({ own, spendable }: ServerWallet, t: Translator): string {
  if (own === undefined) return t('settings.none')
  const isTold = typeof spendable === 'object'
  const left = !isTold
    ? ''
    : ` · ${t.amount(floorToSat('holds' in spendable ? spendable.holds : spendable.budget.left))}`
  return `${walletName(own)}${left}`
}

/** Builds the button that connects a wallet, or the one that disconnects the connected wallet. */
export function walletButtons({ own, offered }: ServerWallet, t: Translator): APIButtonComponentWithCustomId[] {
  if (own !== undefined) {
    return [button(serverWalletDisconnect.verb, 'here', t('ownWallet.disconnectButton'), { emoji: '🗑️' })]
  }
  return offered ? [button(serverWalletConnect.verb, 'here', t('pool.walletButton'), { emoji: '🔌' })] : []
}

/** Sends the moderator who presses the button a link to the page on which they connect a wallet for the server. */
export const serverWalletConnect = {
  verb: 'server-wallet',
  names: 'nothing',
  answer: 'private',
  async press({ member, origin, tipping, links, t, ...asking }: Press) {
    const guild = await serverOfModerator(asking)
    if (!tipping.ownWallets.offered) throw new CommandRefusal('commandRefusals.stale-button')
    const { token, until } = await tipping.ownWallets.invite({ member, guild, locale: origin.locale })
    const url = links.connectWallet(token, { whose: 'server', language: t.locale })
    if (url === undefined) throw new CommandRefusal('commandRefusals.connect-page-here')
    return { say: drawInvitation({ url, until, title: t('pool.walletTitle') }, t) }
  },
} satisfies Button

/** Disconnects the server's wallet. */
export const serverWalletDisconnect = {
  verb: 'server-wallet-end',
  names: 'nothing',
  answer: 'private',
  async press({ member, tipping, t, ...asking }: Press) {
    const guild = await serverOfModerator(asking)
    const was = await tipping.ownWallets.disconnectServer({ guild, member })
    return { say: { content: t(was ? 'ownWallet.disconnected' : 'refusals.server-wallet-needed') } }
  },
} satisfies Button
