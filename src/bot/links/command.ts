import { TippingRefusal } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Call, Command, Options } from '../interactions/command.ts'
import type { Message } from '../messages/message.ts'
import { colour, panel, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { keepButton } from './keep-button.ts'

const options = {
  wallet: { kind: 'text', required: true, longest: 100 },
  code: { kind: 'text', longest: 40 },
} as const satisfies Options

const MAX_ADDRESS_LENGTH = 80

/** Sets up the forwarding of a member's tips, to a gamertag's account or to any Lightning Address. */
export const link = {
  name: 'link',
  answer: 'private',
  where: 'anywhere',
  options,
  async run(call: Call<typeof options>) {
    const { member, origin, tipping, t } = call
    const typed = call.options.wallet.trim()
    // People also write their wallet's name as they see it: @name.
    if (typed.indexOf('@') > 0) {
      const { address, smallest, feePercent, leastFee } = await tipping.forwarding
        .start({ member, address: typed, origin })
        .catch((error: unknown) => {
          throw notLinked(error, typed)
        })
      const quoted = quotable(address, MAX_ADDRESS_LENGTH)
      // Givers' wallets pay the address. The bot takes no fee, and requires no smallest amount.
      if (!tipping.holdsSats) {
        const text = t('noCustody.linked', { address: quoted })
        return { say: { embeds: [panel(colour.done, text, { title: t('link.title') })] } }
      }
      const facts = { address: quoted, smallest, percent: feePercent, leastFee }
      return { say: drawLinked(t('link.forwarded', facts), t) }
    }
    if (!tipping.holdsSats) throw new CommandRefusal('commandRefusals.address-needed')
    const { code } = call.options
    const { gamertag, proven } = await tipping.links.link({ member, gamertag: typed, code, origin })
    const done = t('link.done', { gamertag: quotable(gamertag) })
    return { say: drawLinked(proven ? done : `${done}\n${small(t('link.unproven'))}`, t) }
  },
} satisfies Command<typeof options>

export const unlink = {
  name: 'unlink',
  answer: 'private',
  where: 'anywhere',
  options: {},
  async run({ member, origin, tipping, t }: Call) {
    const ended = await tipping.links.unlink({ member, origin }).catch((error: unknown) => {
      const isNothing = error instanceof TippingRefusal && error.code === 'not-linked' && !tipping.holdsSats
      throw isNothing ? new CommandRefusal('commandRefusals.no-address-named') : error
    })
    const gamertag = quotable('address' in ended ? ended.address : ended.gamertag, 80)
    const text = tipping.holdsSats ? t('unlink.done', { gamertag }) : t('noCustody.unlinked', { address: gamertag })
    return { say: { embeds: [panel(colour.over, text, { title: t('unlink.title') })] } }
  },
} satisfies Command

/**
 * The codes of refusals that explain why an address accepts no payment. Their texts report an attempted payment, which
 * `/link` does not make.
 */
const UNPAYABLE: readonly string[] = [
  ...['address-failed', 'address-asks-who', 'address-refused', 'address-unreachable', 'address-no-host'],
  ...['address-unknown', 'address-turned-away', 'address-broken', 'address-too-large', 'address-unknown-action'],
]

function notLinked(error: unknown, typed: string): unknown {
  if (!(error instanceof TippingRefusal && UNPAYABLE.includes(error.code))) return error
  return new CommandRefusal('commandRefusals.address-not-linked', { address: quotable(typed, MAX_ADDRESS_LENGTH) })
}

/** Explains what a new link changes, and offers to leave some tips in the balance. */
export function drawLinked(text: string, t: Translator): Message {
  return {
    embeds: [panel(colour.done, [text, small(t('link.hint'))], { title: t('link.title') })],
    buttons: [keepButton(t)],
  }
}
