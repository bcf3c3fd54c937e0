import type { Programs } from '../judge/programs.ts'
import type { Server } from './simulated-http.ts'

export const WEBHOOK_HOST = 'hooks.example'

/**
 * Returns a server for programs that receive events at their addresses; every seventh answer is an error, although the
 * event was received.
 */
export function webhookReceiver(programs: Programs): Server {
  let heard = 0
  return async ({ url, headers }) => {
    programs.hears(url.pathname, Number(headers['webhook-id']))
    heard += 1
    return { status: heard % 7 === 0 ? 500 : 204, headers: {}, body: '' }
  }
}
