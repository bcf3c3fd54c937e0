import { renderCard } from '../cards/card-renderer.ts'
import { colour, panel } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'

/** "Your tips no longer go there": said once, privately, to a member who did not end the link. */
export const linkEndedRenderer = renderCard({
  load: (tipping, record) => tipping.members.endedLink(record),
  draw: ({ gamertag }, t) => ({
    message: {
      embeds: [
        panel(colour.inFlight, t('link.ended', { gamertag: quotable(gamertag) }), { title: t('link.endedTitle') }),
      ],
    },
  }),
})
