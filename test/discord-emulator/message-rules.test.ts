import type { REST } from '@discordjs/rest'
import { beforeAll, describe, expect, test } from 'vitest'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { faultAt, refusal, restOf } from './fixture.ts'

let rest: REST
let channel: string

beforeAll(async () => {
  const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 })
  channel = seedWorld(emulator, Date.now()).channels.general
  rest = restOf({ emulator })
  return () => emulator.close()
})

const send = (body: unknown) => rest.post(`/channels/${channel}/messages`, { body }) as Promise<{ id: string }>

const row = (...components: unknown[]) => ({ type: 1, components })
const button = (customId: string) => ({ type: 2, style: 1, label: 'Go', custom_id: customId })
const option = (value: string) => ({ label: value, value })
const select = (options: unknown[]) => ({ type: 3, custom_id: 'pick', options })
const text = (content: string) => ({ type: 10, content })
const v2 = (...components: unknown[]) => ({ flags: 1 << 15, components })
const long = (length: number) => 'x'.repeat(length)
const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

describe('a message or edit is refused', () => {
  test.each<[string, unknown, string, string]>([
    ['long content', { content: long(2001) }, 'content', 'BASE_TYPE_MAX_LENGTH'],
    ['content that is not text', { content: 5 }, 'content', 'STRING_TYPE_CONVERT'],
    ['11 embeds', { embeds: many(11, () => ({ title: 'x' })) }, 'embeds', 'BASE_TYPE_MAX_LENGTH'],
    ['an empty embed', { embeds: [{}] }, 'embeds.0.description', 'BASE_TYPE_REQUIRED'],
    ['a long title', { embeds: [{ title: long(257) }] }, 'embeds.0.title', 'BASE_TYPE_MAX_LENGTH'],
    ['a long description', { embeds: [{ description: long(4097) }] }, 'embeds.0.description', 'BASE_TYPE_MAX_LENGTH'],
    [
      '26 fields',
      { embeds: [{ fields: many(26, () => ({ name: 'a', value: 'b' })) }] },
      'embeds.0.fields',
      'BASE_TYPE_MAX_LENGTH',
    ],
    [
      'a long field name',
      { embeds: [{ fields: [{ name: long(257), value: 'b' }] }] },
      'embeds.0.fields.0.name',
      'BASE_TYPE_MAX_LENGTH',
    ],
    [
      'an empty field value',
      { embeds: [{ fields: [{ name: 'a', value: '' }] }] },
      'embeds.0.fields.0.value',
      'BASE_TYPE_REQUIRED',
    ],
    ['a long footer', { embeds: [{ footer: { text: long(2049) } }] }, 'embeds.0.footer.text', 'BASE_TYPE_MAX_LENGTH'],
    ['a long author', { embeds: [{ author: { name: long(257) } }] }, 'embeds.0.author.name', 'BASE_TYPE_MAX_LENGTH'],
    [
      'a picture without a valid URL',
      { embeds: [{ image: { url: 'qr.png' } }] },
      'embeds.0.image.url',
      'URL_TYPE_INVALID_URL',
    ],
    [
      '6001 characters in all embeds together',
      { embeds: [{ description: long(4000) }, { description: long(2001) }] },
      'embeds',
      'MAX_EMBED_SIZE_EXCEEDED',
    ],
    ['6 rows', { components: many(6, (n) => row(button(String(n)))) }, 'components', 'BASE_TYPE_MAX_LENGTH'],
    [
      '6 buttons in a row',
      { components: [row(...many(6, (n) => button(String(n))))] },
      'components.0.components',
      'BASE_TYPE_BAD_LENGTH',
    ],
    [
      'a menu beside a button',
      { components: [row(select([option('a')]), button('b'))] },
      'components.0.components',
      'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
    ],
    [
      'a repeated custom id',
      { components: [row(button('a')), row(button('a'))] },
      'components.1.components.0.custom_id',
      'COMPONENT_CUSTOM_ID_DUPLICATED',
    ],
    [
      'a long custom id',
      { components: [row(button(long(101)))] },
      'components.0.components.0.custom_id',
      'BASE_TYPE_BAD_LENGTH',
    ],
    [
      'a long label',
      { components: [row({ ...button('a'), label: long(81) })] },
      'components.0.components.0.label',
      'BASE_TYPE_MAX_LENGTH',
    ],
    [
      'a button without a label',
      { components: [row({ type: 2, style: 1, custom_id: 'a' })] },
      'components.0.components.0.label',
      'BUTTON_COMPONENT_LABEL_REQUIRED',
    ],
    [
      'a link button with a custom id',
      { components: [row({ ...button('a'), style: 5, url: 'https://example.com' })] },
      'components.0.components.0.custom_id',
      'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
    ],
    [
      '26 options',
      { components: [row(select(many(26, (n) => option(String(n)))))] },
      'components.0.components.0.options',
      'BASE_TYPE_BAD_LENGTH',
    ],
    [
      'a repeated option',
      { components: [row(select([option('a'), option('a')]))] },
      'components.0.components.0.options.1.value',
      'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
    ],
    [
      'a text input in a message',
      { components: [row({ type: 4, custom_id: 'a', style: 1 })] },
      'components.0.components.0.type',
      'UNION_TYPE_CHOICES',
    ],
    ['v2 components without the flag', { components: [text('a')] }, 'components.0.type', 'UNION_TYPE_CHOICES'],
    [
      'v2 components with content',
      { ...v2(text('a')), content: 'b' },
      'content',
      'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
    ],
    [
      '41 components, including nested ones',
      v2({ type: 17, components: many(20, () => text('a')) }, { type: 17, components: many(19, () => text('a')) }),
      'components',
      'BASE_TYPE_BAD_LENGTH',
    ],
    [
      'v2 components with a missing file',
      v2({ type: 13, file: { url: 'attachment://a.csv' } }),
      'components',
      'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
    ],
    [
      'mentions both parsed and listed',
      { content: 'a', allowed_mentions: { parse: ['users'], users: ['100000000000000000'] } },
      'allowed_mentions',
      'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
    ],
    [
      'an attachment that was not uploaded',
      { content: 'a', attachments: [{ id: '0', filename: 'a.png' }] },
      'attachments.0.id',
      'ATTACHMENT_NOT_FOUND',
    ],
  ])('with the path of the fault: %s', async (_name, body, path, code) => {
    const refused = await refusal(send(body))
    expect(refused).toMatchObject({ status: 400, code: 50035, message: expect.stringContaining('Invalid Form Body') })
    expect(faultAt(refused, path)).toBe(code)
  })

  test('if the message is empty', async () => {
    expect(await refusal(send({ content: ' ' }))).toMatchObject({ status: 400, code: 50006 })
  })

  test('if the edit would empty a message or drop its v2 flag', async () => {
    const plain = await send({ content: 'a' })
    const edit = (id: string, body: unknown) => rest.patch(`/channels/${channel}/messages/${id}`, { body })
    expect(await refusal(edit(plain.id, { content: '' }))).toMatchObject({ code: 50006 })
    const rich = await send(v2(text('a')))
    expect(faultAt(await refusal(edit(rich.id, { flags: 0 })), 'flags')).toBe(
      'MESSAGE_FLAGS_CANNOT_REMOVE_COMPONENTS_V2',
    )
    await edit(rich.id, { components: [text('b')] })
  })
})

describe('a message is accepted', () => {
  test.each<[string, unknown]>([
    ['all texts at their limits', { content: long(2000), embeds: [{ title: long(256), description: long(4096) }] }],
    ['5 rows of 5 buttons', { components: many(5, (r) => row(...many(5, (n) => button(`${r} ${n}`)))) }],
    ['a select of 25 options', { components: [row(select(many(25, (n) => option(String(n)))))] }],
    ['40 v2 components', v2({ type: 17, components: many(39, () => text('a')) })],
    ['the fields that discord.js adds', { content: 'a', tts: false, enforce_nonce: false, nonce: undefined }],
  ])('with %s', async (_name, body) => {
    expect(await send(body)).toMatchObject({ id: expect.any(String) })
  })
})

describe('files', () => {
  const file = (name: string, bytes = 10) => ({ name, data: Buffer.alloc(bytes, 1) })
  const post = (files: { name: string; data: Buffer }[], body: unknown = {}) =>
    rest.post(`/channels/${channel}/messages`, { body, files }) as Promise<{
      id: string
      attachments: { id: string }[]
    }>

  test('are refused above 10 MiB', async () => {
    expect(await refusal(post([file('big.bin', 10 * 1024 * 1024 + 1)]))).toMatchObject({ status: 413, code: 40005 })
    expect(await post([file('big.bin', 10 * 1024 * 1024)])).toMatchObject({ attachments: [{ size: 10 * 1024 * 1024 }] })
  })

  test('are removed from a message by an edit whose attachment list omits them', async () => {
    const sent = await post([file('a.txt'), file('b.txt')], { content: 'two' })
    const path = `/channels/${channel}/messages/${sent.id}` as const
    expect(await rest.patch(path, { body: { content: 'still two' } })).toMatchObject({
      attachments: [{ filename: 'a.txt' }, { filename: 'b.txt' }],
    })
    const body = { attachments: [{ id: sent.attachments[1]?.id }, { id: '0', filename: 'c.txt', description: 'alt' }] }
    expect(await rest.patch(path, { body, files: [file('c.txt')] })).toMatchObject({
      attachments: [{ filename: 'b.txt' }, { filename: 'c.txt', description: 'alt' }],
    })
  })
})
