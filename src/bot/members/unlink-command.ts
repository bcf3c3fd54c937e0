import { TippingRefusal } from '../../tipping/tipping.ts'
import type { Call, Command } from '../interactions/command.ts'
import { colour, panel } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'

export const unlink = {
  name: 'unlink',
  answer: 'private',
  where: 'anywhere',
  options: {},
  async run({ member, origin, tipping, t }: Call) {
    const ended = await tipping.members.unlink({ member, origin }).catch((error: unknown) => {
      const isNothing = error instanceof TippingRefusal && error.code === 'not-linked' && !tipping.holdsSats
      throw isNothing ? new CommandRefusal('commandRefusals.no-address-named') : error
    })
    const gamertag = quotable('address' in ended ? ended.address : ended.gamertag, 80)
    const text = tipping.holdsSats ? t('unlink.done', { gamertag }) : t('noCustody.unlinked', { address: gamertag })
    return { say: { embeds: [panel(colour.over, text, { title: t('unlink.title') })] } }
  },
} satisfies Command
