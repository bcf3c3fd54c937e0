import type { Clock } from '../../../lib/clock.ts'
import { createGuardedFetch, type GuardedFetch } from '../../../lib/http/guarded-fetch.ts'
import type { ServiceSettings } from '../../core/settings.ts'

/** Whether a project belongs to the bot in the same process, and a URL to that bot's own web server. */
export type IsOwnCallback = (projectId: string, url: string) => boolean

/** Decides how callbacks are sent. */
export interface CallbackWays {
  /** Whether a callback of this project to this URL may reach servers on this machine. */
  mayReachLoopback(projectId: string, url: string): boolean
  /** Returns the fetch function that sends a callback of this project to this URL. */
  fetchFor(projectId: string, url: string): GuardedFetch
  close(): Promise<void>
}

/**
 * Creates the ways on which callbacks go to the public Internet. Only callbacks of the bot beside the service go to
 * this machine, and only to that bot's own server, unless the operator permits all. Otherwise any project could have
 * this machine's other servers called.
 */
export function createCallbackWays(
  { callbacksAllowLoopback }: Pick<ServiceSettings, 'callbacksAllowLoopback'>,
  clock: Clock,
  { outgoing, isOwn = () => false }: { outgoing?: GuardedFetch | undefined; isOwn?: IsOwnCallback | undefined },
): CallbackWays {
  const mayReachLoopback: IsOwnCallback = (projectId, url) => callbacksAllowLoopback || isOwn(projectId, url)
  if (outgoing !== undefined) return { mayReachLoopback, fetchFor: () => outgoing, close: async () => undefined }
  const abroad = createGuardedFetch({ allowLoopback: false, clock })
  const nearby = createGuardedFetch({ allowLoopback: true, clock })
  return {
    mayReachLoopback,
    fetchFor: (projectId, url) => (mayReachLoopback(projectId, url) ? nearby : abroad),
    async close() {
      await Promise.all([abroad.close(), nearby.close()])
    },
  }
}
