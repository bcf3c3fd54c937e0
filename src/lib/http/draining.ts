import type { FastifyInstance } from 'fastify'
import { type Clock, pause } from '../clock.ts'
import { HttpProblem } from './http-problem.ts'

/** How a server leaves those who send it requests, without refusing one. */
export interface Draining {
  /** Throws HttpProblem (503 draining) once the server is about to stop. `/ready` asks it first. */
  assertNot(): void
  /**
   * From now on `/ready` says no, while every request is still answered. Resolves after `ms` of the clock's time: by then
   * all who send requests must have looked at `/ready` and found another instance.
   */
  begin(ms: number): Promise<void>
}

/**
 * To be added before the routes. While it drains, an answer ends its connection: a request on a connection that is kept
 * could arrive in the moment in which the server closes it, and nobody would know whether it was heard.
 */
export function addDraining(app: FastifyInstance, clock: Clock): Draining {
  let begun = false
  app.addHook('onSend', async (_request, reply) => {
    if (begun) reply.header('connection', 'close')
  })
  return {
    assertNot() {
      if (begun) throw new HttpProblem(503, 'draining', 'This instance is about to stop. Ask another one.')
    },
    async begin(ms) {
      begun = true
      if (ms > 0) await pause(clock, ms)
    },
  }
}
