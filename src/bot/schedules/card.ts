import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { colour, moment, panel } from '../messages/panel.ts'

/**
 * Warns a schedule's moderator that the pool has too little for the schedule's next run. The card's record consists of
 * the schedule's id and the run.
 */
export const scheduleShortRenderer = renderCard({
  load: (tipping, record) => tipping.schedules.view(record.split(' ')[0] ?? ''),
  draw: ({ nextAt, pool }, t): Drawing => {
    const at = nextAt === undefined ? '' : moment(nextAt)
    return { message: { embeds: [panel(colour.inFlight, t('schedule.short', { at, ...pool }))] } }
  },
})
