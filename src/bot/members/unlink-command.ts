import { TippingRefusal } from '../../tipping/tipping.ts'
import type { Call, Command } from '../discord/command.ts'
import { CommandRefusal } from '../discord/command-refusal.ts'
import { colour, panel } from '../discord/panel.ts'
import { quotable } from '../discord/quotable.ts'

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
