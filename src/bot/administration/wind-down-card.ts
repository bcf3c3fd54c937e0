import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { colour, moment, panel } from '../messages/panel.ts'

/** Informs a member of the planned end of the bot, and of what happens to the member's balance. */
export const windDownRenderer = renderCard({
  load: (tipping, record) => tipping.windDown.notice(record),
  draw: ({ kind, state, by, balance: amount }, t): Drawing => {
    const when = moment(by)
    const title = t('windDown.title')
    if (state === 'stopped') return { message: { embeds: [panel(colour.done, t('windDown.stopped'), { title })] } }
    const lines =
      state === 'listed'
        ? [t('windDown.over')]
        : [
            t(kind === 'told' ? 'windDown.told' : 'windDown.reminded', { when }),
            amount === 0n ? t('windDown.nothing') : t('windDown.balance', { amount }),
            amount === 0n ? '' : t('windDown.then'),
          ]
    return { message: { embeds: [panel(colour.inFlight, lines, { title })] } }
  },
})
