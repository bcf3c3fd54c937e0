import type { APIButtonComponentWithCustomId } from 'discord.js'
import type { Recipient } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Button, Press } from '../interactions/command.ts'
import { button } from '../messages/message.ts'
import { colour, panel } from '../messages/panel.ts'
import { isWalletState } from '../messages/wallet-state.ts'

/** Confirms a large tip. */
export const tipConfirm = {
  verb: 'tip-confirm',
  names: 'pending-gift',
  answer: 'update',
  announces: true,
  guests: true,
  async press({ record: asked, member, guild, members, announced: origin, tipping, t }: Press) {
    const isStillMeant = async ({ id, role }: Recipient) => {
      const known = guild === null ? undefined : await members.known(guild, id)
      return known !== undefined && (role === undefined || role === guild || known.roles.includes(role))
    }
    const { shares } = await tipping.tips.confirm({ asked, member, origin, isStillMeant })
    // A wallet may refuse, so nothing is sent yet.
    const fromWallet = shares.some(({ state }) => isWalletState(state))
    const said = fromWallet
      ? panel(colour.inFlight, t('confirmation.paying'))
      : panel(colour.done, t('confirmation.sent'))
    return { say: { embeds: [said] } }
  },
} satisfies Button

/** Confirms a large drop. */
export const dropConfirm = {
  verb: 'drop-confirm',
  names: 'pending-gift',
  answer: 'update',
  announces: true,
  async press({ record: asked, member, announced: origin, tipping, t }: Press) {
    await tipping.drops.confirm({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, t('confirmation.sent'))] } }
  },
} satisfies Button

/** Confirms a large giveaway. */
export const giveawayConfirm = {
  verb: 'giveaway-confirm',
  names: 'pending-gift',
  answer: 'update',
  announces: true,
  async press({ record: asked, member, announced: origin, tipping, t }: Press) {
    await tipping.giveaways.confirm({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, t('confirmation.sent'))] } }
  },
} satisfies Button

/** Confirms a large gift to a pool. */
export const poolConfirm = {
  verb: 'pool-confirm',
  names: 'pending-gift',
  answer: 'update',
  async press({ record: asked, member, announced: origin, tipping, t }: Press) {
    const { amount, pool } = await tipping.pools.confirm({ asked, member, origin })
    return { say: { embeds: [panel(colour.done, t('pool.given', { amount, pool }))] } }
  },
} satisfies Button

/** Cancels the pending command. No sats have moved, so there is nothing to undo. */
export const cancel = {
  verb: 'tip-cancel',
  names: 'pending-gift',
  answer: 'update',
  async press({ t }: Press) {
    return { say: { embeds: [panel(colour.over, t('confirmation.cancelled'))] } }
  },
} satisfies Button

/** Builds the cancel button, which is beside the confirming one. */
export function cancelButton(record: string, t: Translator): APIButtonComponentWithCustomId {
  return button(cancel.verb, record, t('confirmation.cancelButton'))
}
