import type { APIEmbed, APIEmbedField } from 'discord.js'
import { floorToSat, type Msats } from '../../lib/money/amount.ts'
import type { BalanceView, DepositView, OwnWallet, Tipping } from '../../tipping/tipping.ts'
import { claimButton } from '../claims/buttons.ts'
import { HISTORY_PAGE_VERB } from '../history/draw-history.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Call, Command } from '../interactions/command.ts'
import { keepButton } from '../links/keep-button.ts'
import { fiatValueText } from '../messages/fiat-value.ts'
import { button, type Message } from '../messages/message.ts'
import { colour, fitting, panel, relative } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { drawHoldings, walletMoveButton } from '../own-wallets/own-wallet.ts'
import type { Links } from '../pay-pages/links.ts'

export const balance = {
  name: 'balance',
  answer: 'private',
  where: 'anywhere',
  guests: true,
  options: {},
  async run({ member, caller, guild, tipping, links, t }: Call) {
    const [view, addresses, own, holds] = await Promise.all([
      tipping.balances.view(member),
      tipping.addresses.mine(member),
      tipping.ownWallets.mine(member),
      tipping.ownWallets.holds(member),
    ])
    const { embeds = [], ...message } = balanceMessage(
      { ...view, addresses, own, holds },
      { member, tipping, links, t },
    )
    const more = guild !== null && (await caller.moderates()) ? [await serverPanel(guild, tipping, t)] : []
    return { say: { ...message, embeds: [...embeds, ...more] } }
  },
} satisfies Command

/** Builds the panel for moderators: the balance of their server's pool, and of the bot's wallet. */
async function serverPanel(guild: string, tipping: Tipping, t: Translator): Promise<APIEmbed> {
  const [pool, { proven }] = await Promise.all([tipping.pools.view(guild), tipping.administration.status()])
  const wallet = proven?.wallet === undefined ? t('status.walletUnknown') : t.amount(proven.wallet)
  const fields = [field(t('pool.title'), t.amount(floorToSat(pool.available))), field(t('status.wallet'), wallet)]
  return panel(colour.satchel, '', { fields })
}

function balanceMessage(
  view: BalanceView & {
    readonly addresses: readonly string[]
    readonly own: OwnWallet | undefined
    readonly holds: Msats | 'silent' | undefined
  },
  { member, tipping, links, t }: Pick<Call, 'member' | 'tipping' | 'links' | 't'>,
): Message {
  const { own, available, inFlight, unclaimed, waitingForOthers, link, sentToGamertag } = view
  const { forwarding, keepHere, openDeposits, unpaidTips } = view
  const goesOn = forwarding?.address ?? link?.gamertag
  const fields: APIEmbedField[] = []
  if (inFlight > 0n) fields.push(field(t('balance.inFlight'), t.amount(inFlight)))
  if (unclaimed !== undefined) {
    const text = t('balance.claimableUntil', { amount: unclaimed.amount, until: relative(unclaimed.until) })
    fields.push(field(t('balance.unclaimed'), text))
  }
  if (waitingForOthers > 0n) fields.push(field(t('balance.waitingForOthers'), t.amount(waitingForOthers)))
  const nothing =
    available + sentToGamertag === 0n && fields.length === 0 && openDeposits.length + unpaidTips.length === 0
  const lines = [
    `## ${t.amount(floorToSat(available))}`,
    fiatValueText(tipping, available, t, true),
    own === undefined ? '' : (drawHoldings(own, view.holds, t) ?? ''),
    nothing ? t('balance.empty') : '',
    goesOn === undefined ? t('balance.unlinked') : t('balance.linked', { gamertag: quotable(goesOn, 80) }),
    forwarding === undefined || forwarding.sent + forwarding.due === 0n
      ? ''
      : t('balance.forwarded', { sent: floorToSat(forwarding.sent), due: floorToSat(forwarding.due) }),
    forwarding?.again === undefined ? '' : t('balance.forwardAgain', { again: relative(forwarding.again) }),
    keepHere > 0n ? t('link.kept', { amount: keepHere }) : '',
    view.addresses.length > 0 ? t('balance.address', { address: t.list(view.addresses) }) : '',
    sentToGamertag > 0n ? t('balance.sent', { amount: sentToGamertag }) : '',
    openDeposits.length > 0 ? t('balance.openDeposits', { count: openDeposits.length }) : '',
    ...openDeposits.map((deposit) => drawCode(deposit, links, t)),
    unpaidTips.length > 0 ? t('balance.unpaidTips', { count: unpaidTips.length }) : '',
    ...unpaidTips.map((deposit) => drawCode(deposit, links, t)),
  ]
  return {
    // No code is cut: half a code cannot be paid.
    embeds: [panel(colour.satchel, fitting(lines, '\n'), { title: t('balance.title'), fields })],
    buttons: [
      ...(unclaimed === undefined ? [] : [claimButton(member, t('balance.claimButton'))]),
      ...(own?.receives && available > 0n ? [walletMoveButton('mine', own.name, t)] : []),
      ...(goesOn === undefined ? [] : [keepButton(t)]),
      button(HISTORY_PAGE_VERB, '0', t('history.title'), { emoji: '📖' }),
    ],
  }
}

/**
 * Builds a line for an unpaid deposit or tip: its amount, with a link to its page or, without a page, its code. The
 * private message that first showed the code may be gone.
 */
function drawCode({ amount, card, invoice, request }: DepositView, links: Links, t: Translator): string {
  const page = links.pay(card)
  return page === undefined ? `- ${t.amount(amount)}: \`${invoice ?? request}\`` : `- [${t.amount(amount)}](${page})`
}

function field(name: string, value: string): APIEmbedField {
  return { name, value, inline: true }
}
