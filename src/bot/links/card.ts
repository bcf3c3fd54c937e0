import { renderCard } from '../cards/card-renderer.ts'
import { colour, panel } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'

/**
 * Notifies a member privately, and only once, that tips are no longer forwarded, because somebody else ended the
 * member's link.
 */
export const linkEndedRenderer = renderCard({
  load: (tipping, record) => tipping.links.endedLink(record),
  draw: ({ gamertag }, t) => ({
    message: {
      embeds: [
        panel(colour.inFlight, t('link.ended', { gamertag: quotable(gamertag) }), { title: t('link.endedTitle') }),
      ],
    },
  }),
})
