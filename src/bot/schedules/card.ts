import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { colour, moment, panel } from '../messages/panel.ts'

/** Tells the moderator of a schedule that the pool will not do for its next time. Its record is the schedule and which time that is. */
export const scheduleShortRenderer = renderCard({
  load: (tipping, record) => tipping.schedules.view(record.split(' ')[0] ?? ''),
  draw: ({ nextAt, pool }, t): Drawing => {
    const at = nextAt === undefined ? '' : moment(nextAt)
    return { message: { embeds: [panel(colour.inFlight, t('schedule.short', { at, ...pool }))] } }
  },
})
