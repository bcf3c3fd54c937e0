import type { Programs } from '../judge/programs.ts'
import type { Server } from './simulated-http.ts'

export const WEBHOOK_HOST = 'hooks.example'

/** Programs that hear of events at addresses of theirs; now and then one is out of order, after it has heard. */
export function webhookReceiver(programs: Programs): Server {
  let heard = 0
  return async ({ url, headers }) => {
    programs.hears(url.pathname, Number(headers['webhook-id']))
    heard += 1
    return { status: heard % 7 === 0 ? 500 : 204, headers: {}, body: '' }
  }
}
