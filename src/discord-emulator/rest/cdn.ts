import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { avatarSvg } from '../people/avatar.ts'
import { param } from './read.ts'

const forever = 'public, max-age=31536000, immutable'

/** Serves the CDN: attachments and emoji as they were uploaded, and drawn avatars. Anybody can read them. */
export function serveAttachments(app: FastifyInstance, core: Core): void {
  app.get('/cdn/attachments/:channel/:attachment/:filename', async (request, reply) => {
    const bytes = core.world.store.file(param(request, 'attachment'))
    if (bytes === undefined) return reply.code(404).type('text/plain').send('This content is no longer available.')
    return reply
      .headers({ 'cache-control': forever, 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' })
      .type(contentType(param(request, 'filename')))
      .send(bytes)
  })
  app.get('/cdn/emojis/:file', async (request, reply) => {
    const bytes = core.world.store.file(param(request, 'file').replace('.png', ''))
    if (bytes === undefined) return reply.code(404).type('text/plain').send('This content is no longer available.')
    return reply.headers({ 'cache-control': forever }).type('image/png').send(bytes)
  })
  app.get('/cdn/avatars/:user/:file', async (request, reply) => {
    const user = core.world.users.get(param(request, 'user'))
    if (user === undefined) return reply.code(404).type('text/plain').send('This content is no longer available.')
    return reply.headers({ 'cache-control': forever }).type('image/svg+xml').send(avatarSvg(user))
  })
}

/**
 * Returns the content type for a file name's extension. A type that could run code in a browser is served as a
 * download.
 */
function contentType(filename: string): string {
  const types: Record<string, string> = {
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
    csv: 'text/csv; charset=utf-8',
    txt: 'text/plain; charset=utf-8',
    json: 'application/json; charset=utf-8',
  }
  return types[filename.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}
