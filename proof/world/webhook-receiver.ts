import type { Programs } from '../judge/programs.ts'
import type { Server } from './simulated-http.ts'

export const WEBHOOK_HOST = 'hooks.example'

/** Programs that receive events at their addresses; now and then one fails after it has received an event. */
export function webhookReceiver(programs: Programs): Server {
  let heard = 0
  return async ({ url, headers }) => {
    programs.hears(url.pathname, Number(headers['webhook-id']))
    heard += 1
    return { status: heard % 7 === 0 ? 500 : 204, headers: {}, body: '' }
  }
}
