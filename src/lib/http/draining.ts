import type { FastifyInstance } from 'fastify'
import { type Clock, pause } from '../clock.ts'
import { HttpProblem } from './http-problem.ts'

/** The means to stop a server without refusing a request. */
export interface Draining {
  /** Throws HttpProblem (503 draining) if the server is about to stop. `/ready` calls this method first. */
  assertNot(): void
  /**
   * Makes `/ready` refuse from now on, while every other request is still answered. Resolves after `ms` of the clock's
   * time: by then all callers must have read `/ready` and found another instance.
   */
  begin(ms: number): Promise<void>
}

/**
 * Adds draining to a server, and must be called before the routes are added. While the server drains, every answer ends
 * its connection. Otherwise a request could arrive at the moment when the server closes the connection, and nobody
 * would know whether that request was received.
 */
export function addDraining(app: FastifyInstance, clock: Clock): Draining {
  let begun = false
  app.addHook('onSend', async (_request, reply) => {
    if (begun) reply.header('connection', 'close')
  })
  return {
    assertNot() {
      if (begun)
        throw new HttpProblem(503, 'draining', 'This instance is about to stop. Send the request to another instance.')
    },
    async begin(ms) {
      begun = true
      if (ms > 0) await pause(clock, ms)
    },
  }
}
