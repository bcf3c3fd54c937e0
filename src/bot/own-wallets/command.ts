import { floorToSat, sats } from '../../lib/money/amount.ts'
import { TippingRefusal } from '../../tipping/tipping.ts'
import type { Button, Call, Command, Press } from '../interactions/command.ts'
import { drawLinked } from '../links/command.ts'
import type { Message } from '../messages/message.ts'
import { button } from '../messages/message.ts'
import { colour, panel, relative, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { linkButton } from '../pay-pages/links.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { drawOwnWallet, nameOnButton, walletMoveButton } from './own-wallet.ts'

/**
 * Shows a personal link to the member's own account at the payments service, and the member's own wallet. The private
 * answer is drawn only once, because it is not a card.
 */
export const wallet = {
  name: 'wallet',
  answer: 'private',
  where: 'anywhere',
  guests: true,
  options: {},
  run: (call: Call) => open(call),
} satisfies Command

/** Shows the answer of `/wallet` to the person who presses it. */
export const walletOpen = {
  verb: 'wallet-open',
  names: 'nothing',
  answer: 'private',
  press: (press: Press) => open(press),
} satisfies Button

type Asked = Pick<Call, 'member' | 'userName' | 'origin' | 'tipping' | 'links' | 't'>

/**
 * Returns the answer of `/wallet`: the account at the payments service and the member's own wallet, as far as each is
 * offered here.
 */
async function open(asked: Asked): Promise<{ readonly say: Message }> {
  const own = await drawOwnWallet(asked)
  try {
    const { say } = await openAccount(asked)
    return {
      say: { embeds: [...say.embeds, ...(own?.embeds ?? [])], buttons: [...say.buttons, ...(own?.buttons ?? [])] },
    }
  } catch (error) {
    const isMissing = error instanceof TippingRefusal && error.code === 'wallet-not-offered'
    const isFar = error instanceof CommandRefusal && error.why === 'commandRefusals.wallet-page-here'
    if (own !== undefined && (isMissing || isFar)) return { say: own }
    const { tipping } = asked
    throw tipping.holdsSats ? error : new CommandRefusal('commandRefusals.connect-page-here')
  }
}

async function openAccount({ member, userName, origin, tipping, links, t }: Asked) {
  const opened = await tipping.links.openWallet({ member, name: userName, origin })
  // Tips there could not be spent, so offer nothing that would send them there.
  if (!links.reaches(opened.url)) throw new CommandRefusal('commandRefusals.wallet-page-here')
  const gamertag = quotable(opened.gamertag)
  const [{ available, link, forwarding }, connected] = await Promise.all([
    tipping.balances.view(member),
    tipping.ownWallets.mine(member),
  ])
  const elsewhere = forwarding?.address ?? link?.gamertag
  const unlinked =
    elsewhere === undefined ? t('wallet.notLinked') : t('balance.linked', { gamertag: quotable(elsewhere, 80) })
  // The connected wallet's panel says so, too.
  const isShown = available >= sats(1) && connected === undefined
  const lines = [
    t(opened.isNew ? 'wallet.created' : 'wallet.ready', { gamertag }),
    opened.isLinked ? t('wallet.linked') : unlinked,
    isShown ? t('ownWallet.balanceHere', { amount: floorToSat(available) }) : '',
    small(t('wallet.careful', { until: relative(opened.until) })),
  ]
  const linkLabel = t('wallet.linkButton', { name: nameOnButton(opened.gamertag) })
  return {
    say: {
      embeds: [panel(colour.satchel, lines, { title: t('wallet.title') })],
      buttons: [
        linkButton(opened.url, t('wallet.openButton'), '👛'),
        ...(opened.isLinked ? [] : [button(walletLink.verb, 'mine', linkLabel, { emoji: '⚡' })]),
        ...(isShown ? [walletMoveButton('account', opened.gamertag, t)] : []),
      ],
    },
  }
}

/**
 * Links the own account at the payments service of the person who presses it, so that tips are forwarded to that
 * account.
 */
export const walletLink = {
  verb: 'wallet-link',
  names: 'nothing',
  answer: 'private',
  async press({ member, userName, origin, tipping, t }: Press) {
    const { gamertag } = await tipping.links.linkOwnAccount({ member, name: userName, origin })
    return { say: drawLinked(t('link.done', { gamertag: quotable(gamertag) }), t) }
  },
} satisfies Button
