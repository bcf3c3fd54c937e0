import { afterEach, beforeEach, expect, it } from 'vitest'
import type { WebServer } from '../../src/web/web-server.ts'
import { TippingWorld } from '../tipping/world.ts'
import { DORA, makeKey, openKeyedServer } from './keyed-server.ts'

let world: TippingWorld
let server: WebServer

beforeEach(async () => {
  world = await TippingWorld.open({ besideOthers: false })
  server = await openKeyedServer(world, undefined, 2)
})
afterEach(() => server.close())

async function ask(key: string): Promise<{ readonly status: number; readonly headers: Headers }> {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${server.address}/api/v1/members/${DORA}`, { headers })
  await response.arrayBuffer()
  return response
}

it('an IP address can try 20 wrong keys, and calls with a valid key do not count', async () => {
  const key = await makeKey(world)
  const guesses = await Promise.all(Array.from({ length: 25 }, (_, i) => ask(`satchel_${String(i).padStart(43, 'x')}`)))
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(20)
  const [refused] = guesses.filter(({ status }) => status === 429)
  expect(refused?.headers.get('retry-after')).toBe('1')
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(key)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
  expect((await ask(key)).status).toBe(429)
})
