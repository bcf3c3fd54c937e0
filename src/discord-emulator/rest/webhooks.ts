import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Core } from '../core/core.ts'
import { answer, byToken, deleteAnswer, editAnswer, followUp } from '../interactions/follow-up.ts'
import { messagePayload } from '../world/payloads.ts'
import { filesOf, jsonOf, param } from './read.ts'

/**
 * Serves what the bot can do after its first response: send follow-up messages, and read, edit and delete `@original`
 * and the other messages.
 */
export function serveWebhooks(api: FastifyInstance, core: Core): void {
  const interaction = (request: FastifyRequest) => byToken(core, param(request, 'application'), param(request, 'token'))
  const base = '/webhooks/:application/:token'
  const one = `${base}/messages/:message`
  api.post(base, async (request) => {
    const message = followUp(core, interaction(request), jsonOf(request), filesOf(request))
    return messagePayload(core.world, core.address.cdnUrl, message)
  })
  api.get(one, async (request) =>
    messagePayload(core.world, core.address.cdnUrl, answer(core, interaction(request), param(request, 'message'))),
  )
  api.patch(one, async (request) => {
    const message = editAnswer(core, interaction(request), param(request, 'message'), jsonOf(request), filesOf(request))
    return messagePayload(core.world, core.address.cdnUrl, message)
  })
  api.delete(one, async (request, reply) => {
    deleteAnswer(core, interaction(request), param(request, 'message'))
    return reply.code(204).send()
  })
}
