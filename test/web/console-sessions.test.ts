import { beforeEach, expect, it } from 'vitest'
import { aliceHasSome } from '../tipping/funded-world.ts'
import type { TippingWorld } from '../tipping/world.ts'
import { byLink, PASSWORD, READ_PASSWORD, serveConsole } from './console-world.ts'

let world: TippingWorld
beforeEach(async () => {
  world = await aliceHasSome({ replays: false })
})
const isPaused = async () => (await world.tipping.administration.status()).paused !== undefined

it('a former operator can do nothing, and their session ends', async () => {
  let answer = async () => true
  const visitor = await byLink(await serveConsole(world, { isOperator: () => answer() }), world)
  expect(await visitor.does('pause', { reason: 'a look' })).toMatchObject({ status: 303 })
  answer = async () => false
  const refused = await visitor.does('resume')
  expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('no longer an administrator') })
  expect(await isPaused()).toBe(true)
  expect((await visitor.look()).status).toBe(401)
})

it('a sign-in of the last hour stays valid while Discord does not answer', async () => {
  const isOperator = () => Promise.reject(new Error('Discord is away'))
  const visitor = await byLink(await serveConsole(world, { isOperator }), world)
  expect(await visitor.does('pause', { reason: 'a look' })).toMatchObject({ status: 303 })
  expect(await isPaused()).toBe(true)
})

it('a page of the console waits at most 3 seconds for Discord', async () => {
  const asked = Promise.withResolvers<void>()
  const isOperator = () => {
    asked.resolve()
    return new Promise<never>(() => {})
  }
  const visitor = await byLink(await serveConsole(world, { isOperator }), world)
  const sent = visitor.does('pause', { reason: 'a look' })
  await asked.promise
  await world.clock.advance(3_000)
  expect(await sent).toMatchObject({ status: 303 })
  expect(await isPaused()).toBe(true)
})

it.each([
  ['the operators', PASSWORD],
  ['readers', READ_PASSWORD],
])('a session that %s began with a password ends at a restart', async (_, password) => {
  const visitor = await serveConsole(world)
  await visitor.signIn(password)
  await world.clock.advance(1_000)
  const later = await serveConsole(world, { variables: { CONSOLE_PASSWORD: 'a new horse battery' } })
  const before = later.other(visitor.cookie)
  for (const path of ['/console', '/operators', '/console/log']) expect((await before.look(path)).status).toBe(401)
  expect((await before.post('/console/pause', { form: 'x', reason: 'a look' })).status).toBe(401)
  await before.signIn('a new horse battery')
  expect((await before.look()).status).toBe(200)
})

it('a session that began with a link survives a restart', async () => {
  const visitor = await byLink(await serveConsole(world), world)
  await world.clock.advance(1_000)
  const later = await serveConsole(world)
  expect((await later.other(visitor.cookie).look()).status).toBe(200)
})
