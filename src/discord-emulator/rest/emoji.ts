import type { FastifyInstance } from 'fastify'
import type { Core } from '../core/core.ts'
import { Form, type JsonObject } from '../rules/form.ts'
import { unknownEmoji } from '../rules/refusal.ts'
import { jsonOf, param } from './read.ts'

const maxEmoji = 2_000
const maxImageBytes = 256 * 1024

/** Serves the application's own emoji. https://docs.discord.com/developers/resources/emoji#list-application-emojis */
export function serveEmoji(api: FastifyInstance, core: Core): void {
  const { world } = core
  const base = '/applications/:application/emojis'
  const all = () => (world.application.own_emoji as JsonObject[] | undefined) ?? []
  const save = (emoji: readonly JsonObject[]) => world.saveApplication({ ...world.application, own_emoji: emoji })
  api.get(base, async () => ({ items: all() }))
  api.post(base, async (request, reply) => {
    const { name, bytes } = checkEmoji(jsonOf(request), all())
    const id = world.nextId()
    world.store.putFile(id, bytes)
    const made = { id, name, roles: [], require_colons: true, managed: false, animated: false, available: true }
    save([...all(), made])
    return reply.code(201).send(made)
  })
  api.delete(`${base}/:emoji`, async (request, reply) => {
    const id = param(request, 'emoji')
    if (!all().some((each) => each.id === id)) throw unknownEmoji()
    save(all().filter((each) => each.id !== id))
    return reply.code(204).send()
  })
}

function checkEmoji(body: JsonObject, all: readonly JsonObject[]): { readonly name: string; readonly bytes: Buffer } {
  const form = new Form()
  const name = form.text(body, 'name', [], { min: 2, max: 32, required: true }) ?? ''
  if (!/^\w+$/.test(name)) form.fault(['name'], 'STRING_TYPE_REGEX', 'String value did not match validation regex.')
  if (all.some((each) => each.name === name))
    form.fault(['name'], 'APPLICATION_EMOJI_NAME_ALREADY_TAKEN', 'This name has already been taken')
  if (all.length >= maxEmoji) form.fault(['name'], 'BASE_TYPE_MAX_LENGTH', `Must be ${maxEmoji} or fewer in length.`)
  const image = form.text(body, 'image', [], { max: 400_000, required: true }) ?? ''
  const [, base64] = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,(.+)$/s.exec(image) ?? []
  const bytes = Buffer.from(base64 ?? '', 'base64')
  if (base64 === undefined) form.fault(['image'], 'IMAGE_INVALID', 'Invalid image data')
  else if (bytes.length > maxImageBytes)
    form.fault(['image'], 'BINARY_TYPE_MAX_SIZE', 'File cannot be larger than 256.0 kb.')
  form.refuse()
  return { name, bytes }
}
