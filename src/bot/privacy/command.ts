import { ceilToSat, floorToSat } from '../../lib/money/amount.ts'
import type { OpenSats } from '../../tipping/tipping.ts'
import type { Key, Translator } from '../i18n/translator.ts'
import type { Button, Call, Command, Press } from '../interactions/command.ts'
import { button, type Message } from '../messages/message.ts'
import { colour, panel, small } from '../messages/panel.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'

/** Discord's file limit, with room to spare. */
const MAX_FILE_BYTES = 9_000_000

export const privacy = {
  name: 'privacy',
  answer: 'private',
  where: 'anywhere',
  options: {},
  async run({ member, tipping, t }: Call) {
    const own = tipping.ownWallets.offered ? [`\n${t('privacy.ownWallet')}`] : []
    const isConnected = (await tipping.linkedRoles.mine(member)) !== undefined
    const roles = isConnected ? [`\n${t('privacy.linkedRoles')}`] : []
    const service = tipping.holdsSats ? [`\n${t('privacy.wallet')}`] : []
    const lines = [t('privacy.stored'), `\n${t('privacy.notStored')}`, ...service, ...own, ...roles]
    return {
      say: {
        embeds: [panel(colour.satchel, lines, { title: t('privacy.title') })],
        buttons: [
          button(privacyFile.verb, member, t('privacy.fileButton'), { emoji: '📄' }),
          button(privacyForget.verb, member, t('privacy.forgetButton'), { emoji: '🗑️' }),
          ...(isConnected ? [button(privacyRoles.verb, member, t('privacy.rolesButton'), { emoji: '🔌' })] : []),
        ],
      },
    }
  },
} satisfies Command

/** Sends a copy of all the member's data to the member alone. */
export const privacyFile = {
  verb: 'privacy-file',
  names: 'own',
  answer: 'private',
  async press(press: Press) {
    const { member, tipping, t, asked } = mine(press)
    const text = JSON.stringify(await tipping.privacy.export(member), null, 1)
    if (Buffer.byteLength(text) > MAX_FILE_BYTES) throw new CommandRefusal('commandRefusals.file-too-large')
    const name = `satchel-${asked.toISOString().slice(0, 10)}.json`
    const file = { name, text, contentType: 'application/json', alt: t('privacy.fileAlt') }
    return { say: { content: t('privacy.exported'), files: [file] } }
  },
} satisfies Button

/** Asks whether to delete the member's data, and lists their sats that are still here. */
export const privacyForget = {
  verb: 'privacy-forget',
  names: 'own',
  answer: 'update',
  async press(press: Press) {
    const { member, tipping, t } = mine(press)
    const open = await tipping.privacy.open(member)
    return { say: drawQuestion(member, { ...open, hasService: tipping.holdsSats }, t) }
  },
} satisfies Button

export const privacyDelete = deletes('privacy-delete', 'privacy.deleted', ({ tipping, member }) =>
  tipping.privacy.forget(member),
)

/** Stops Discord from showing the member's gifts. Pressing the button again gets the same answer. */
export const privacyRoles = deletes('privacy-roles', 'privacy.rolesDisconnected', ({ tipping, member }) =>
  tipping.linkedRoles.disconnect(member),
)

export const privacyCancel = {
  verb: 'privacy-cancel',
  names: 'own',
  answer: 'update',
  async press(press: Press) {
    return { say: { embeds: [panel(colour.over, mine(press).t('privacy.cancelled'))] } }
  },
} satisfies Button

/** Creates a button that deletes some of the member's data and replaces its message with a confirmation. */
function deletes(verb: string, said: Key, remove: (press: Press) => Promise<unknown>) {
  return {
    verb,
    names: 'own',
    answer: 'update',
    async press(press: Press) {
      await remove(mine(press))
      return { say: { embeds: [panel(colour.done, press.t(said))] } }
    },
  } satisfies Button
}

/**
 * Returns the press if its record is the member who pressed, because the data is theirs. Otherwise throws
 * CommandRefusal.
 */
function mine(press: Press): Press {
  if (press.record !== press.member) throw new CommandRefusal('commandRefusals.stale-button')
  return press
}

function drawQuestion(member: string, open: OpenSats & { readonly hasService: boolean }, t: Translator): Message {
  const { available, held, inPots, inVouchers, addresses, hasService } = open
  const here = floorToSat(available)
  const there = [
    here > 0n ? `• ${t('privacy.inBalance', { amount: here })}` : '',
    held > 0n ? `• ${t('privacy.held', { amount: ceilToSat(held) })}` : '',
    inPots > 0n ? `• ${t('privacy.inPots', { amount: inPots })}` : '',
    inVouchers > 0n ? `• ${t('privacy.inVouchers', { amount: inVouchers })}` : '',
    addresses.length > 0 ? `• ${t('privacy.addresses', { addresses: t.list(addresses) })}` : '',
  ].filter((line) => line !== '')
  const still = there.length === 0 ? [] : [t('privacy.stillOpen'), ...there, `${small(t('privacy.staysYours'))}\n`]
  const lines = [...still, t('privacy.question'), t('privacy.booksStay'), ...(hasService ? [t('privacy.wallet')] : [])]
  return {
    embeds: [panel(colour.inFlight, lines, { title: t('privacy.forgetTitle') })],
    buttons: [
      button(privacyDelete.verb, member, t('privacy.deleteButton'), { emoji: '🗑️' }),
      button(privacyCancel.verb, member, t('privacy.keepButton')),
    ],
  }
}
