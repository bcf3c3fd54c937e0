import type { FastifyInstance } from 'fastify'
import type { Emulator } from '../../discord-emulator/emulator.ts'
import { HttpProblem } from '../../lib/http/http-server.ts'
import type { PageWorld } from './page-world.ts'

const stored = ['content-type', 'cache-control', 'x-content-type-options'] as const
/** The policy that keeps a drawn avatar from being more than a picture, even if it is opened directly. */
const pictureOnly = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Forwards the emulator's pictures and files, so that the page needs no second origin. */
export function serveCdn(app: FastifyInstance, { emulator }: PageWorld): void {
  app.get('/cdn/*', async (request, reply) => {
    const path = request.url.slice('/cdn'.length)
    const answer = await fetch(emulator.cdnUrl + path, { redirect: 'error' })
    if (!answer.ok) throw new HttpProblem(404, 'unknown_file', 'This file cannot be found.')
    for (const name of stored) {
      const value = answer.headers.get(name)
      if (value !== null) reply.header(name, value)
    }
    reply.header('content-security-policy', pictureOnly)
    return reply.send(Buffer.from(await answer.arrayBuffer()))
  })
}

/** Replaces the emulator's addresses of pictures and files in a value with addresses of this server. */
export function local<Value>(emulator: Emulator, value: Value): Value {
  const text = JSON.stringify(value)
  return text.includes(emulator.cdnUrl) ? (JSON.parse(text.replaceAll(emulator.cdnUrl, '/cdn')) as Value) : value
}
