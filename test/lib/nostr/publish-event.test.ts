import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { createPublisher } from '../../../src/lib/nostr/publish-event.ts'
import { ManualClock } from '../../support/manual-clock.ts'

const event = finalizeEvent({ kind: 1, created_at: 1, content: 'hello', tags: [] }, generateSecretKey())
const second = finalizeEvent({ kind: 1, created_at: 2, content: 'again', tags: [] }, generateSecretKey())
const clock = new ManualClock()

let relay: WebSocketServer
/** Returns the relay's answer to an event, by the event's id; undefined for none. */
let answer: (id: string) => unknown[] | string | undefined
let asked: (() => void) | undefined

beforeEach(async () => {
  relay = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  relay.on('connection', (client) =>
    client.on('message', (data) => {
      const said = answer(JSON.parse(String(data))[1].id)
      if (said !== undefined) client.send(typeof said === 'string' ? said : JSON.stringify(said))
      asked?.()
    }),
  )
  await new Promise((resolve) => relay.on('listening', resolve))
})
afterEach(async () => {
  for (const client of relay.clients) client.terminate()
  await new Promise((resolve) => relay.close(resolve))
  asked = undefined
  expect(clock.pending).toBe(0)
})

const port = () => (relay.address() as AddressInfo).port
const publish = (url = `ws://127.0.0.1:${port()}`, options = {}) =>
  createPublisher({ clock, allowLoopback: true, ...options })(url, [event, second])

it('a relay’s answers are reported for each event; a duplicate counts as accepted', async () => {
  answer = (id) => (id === event.id ? ['OK', id, true, ''] : ['OK', id, false, 'duplicate: seen before'])
  expect(await publish()).toEqual(new Map([event, second].map(({ id }) => [id, { said: 'accepted' }])))
})

it('a relay’s long reason for a refusal is shortened', async () => {
  answer = (id) => ['OK', id, id !== event.id, `blocked: ${'x'.repeat(500)}`]
  const said = await publish()
  expect(said.get(event.id)).toEqual({ said: 'refused', reason: `blocked: ${'x'.repeat(191)}` })
  expect(said.get(second.id)).toEqual({ said: 'accepted' })
})

it('a relay that sends no valid answer counts as silent after 10 seconds', async () => {
  const heard = Promise.withResolvers<void>()
  answer = (id) => (id === event.id ? 'no JSON' : ['OK', 'another', true, ''])
  let messages = 0
  asked = () => {
    messages += 1
    if (messages === 2) heard.resolve()
  }
  const said = publish()
  await heard.promise
  await clock.advance(10_000)
  expect((await said).get(event.id)).toEqual({ said: 'silent', reason: expect.stringContaining('10000 ms') })
})

it('a connection times out after 10 seconds if the handshake is never answered', async () => {
  const sockets: Socket[] = []
  const connected = Promise.withResolvers<void>()
  const server: Server = createServer((socket) => {
    sockets.push(socket)
    connected.resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const said = publish(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await connected.promise
  await clock.advance(10_000)
  expect((await said).get(event.id)).toMatchObject({ said: 'silent' })
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

it.each([
  ['this machine', () => `ws://127.0.0.1:${port()}`],
  ['this machine over TLS', () => `wss://127.0.0.1:${port()}`],
  ['a private network', () => 'wss://10.0.0.1'],
  ['without TLS', () => 'ws://relay.example.com'],
  ['at a port of other services', () => 'wss://relay.example.com:25'],
  ['not the address of a relay', () => 'https://relay.example.com'],
])('a relay address given by a stranger is never contacted if it is %s', async (_, url) => {
  answer = () => expect.unreachable()
  const said = await publish(url(), { allowLoopback: false, resolve: () => expect.unreachable() })
  expect(said.get(event.id)).toEqual({ said: 'silent', reason: expect.stringMatching(/./) })
})

it.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', 'fd00::1'])(
  'a relay whose name resolves to %s is never contacted',
  async (address) => {
    answer = () => expect.unreachable()
    const resolve = async () => [address]
    const said = await publish(`wss://relay.example.com:${port()}`, { allowLoopback: false, resolve })
    expect(said.get(event.id)).toEqual({ said: 'silent', reason: 'relay.example.com is not on the public Internet' })
  },
)

it('publishing ends when the relay closes the connection', async () => {
  asked = () => {
    for (const client of relay.clients) client.terminate()
  }
  answer = () => undefined
  expect((await publish()).get(event.id)).toEqual({ said: 'silent', reason: 'it ended the connection' })
})
