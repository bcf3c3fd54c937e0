import { beforeEach, expect, it } from 'vitest'
import { ServiceWorld } from '../harness.ts'

let world: ServiceWorld
let projectId: string

beforeEach(async () => {
  world = await ServiceWorld.open()
  projectId = (await world.project()).projectId
})
const good = { name: 'Game', redirectUris: ['https://game.example/callback'] }
const create = (about: object) => world.administration.createClient(projectId, { ...good, ...about })

it.each([
  'https://game.example',
  'https://game.example/callback?x=1',
  'https://game.example:8443/callback',
  'http://localhost:3000/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:4000/callback',
  'com.example.game:/callback',
])('the valid redirect address %s is registered and shown unchanged', async (uri) => {
  await create({ redirectUris: [uri] })
  expect(await world.administration.listClients(projectId)).toMatchObject([{ redirectUris: [uri] }])
})

it.each([
  ['http://game.example/callback', 'must begin with https'],
  ['https://game.example/callback#x', 'fragment'],
  ['https://game.example/*', '*'],
  ['https://GAME.example/callback', 'must be written as https://game.example/callback'],
  ['https://game.example:443/callback', 'must be written as https://game.example/callback'],
  ['https://game.example/a/../callback', 'must be written as https://game.example/callback'],
  ['https://user@game.example/callback', 'user name'],
  ['https://0x7f.1/', 'must be written as https://127.0.0.1/'],
  ['javascript:alert(1)', 'must begin with https'],
  ['data:text/html,x', 'must begin with https'],
  ['game:/callback', 'must begin with https'],
  ['/callback', 'is not an address'],
  ['https://game.example/ü', 'characters'],
  ['https://game.example/\nhttps://evil.example', 'characters'],
  [`https://game.example/${'x'.repeat(500)}`, '500 characters'],
])('the invalid redirect address %j is refused and its fault is named', async (uri, why) => {
  await expect(create({ redirectUris: [uri] })).rejects.toThrow(why)
  expect(await world.administration.listClients(projectId)).toEqual([])
})

it('a program with an unreadable name, no address or an unknown scope is refused', async () => {
  for (const name of ['', ' ', 'x'.repeat(61), 'Game\u202egnp', 'Game\u200b'])
    await expect(create({ name })).rejects.toThrow('visible characters')
  await expect(create({ redirectUris: [] })).rejects.toThrow('--redirect')
  await expect(create({ scopes: 'user,send' })).rejects.toThrow('--scope must be one or more of user,wallet')
  await expect(world.administration.createClient('nobody', good)).rejects.toThrow('There is no project nobody')
  await expect(world.administration.removeClient('nobody')).rejects.toThrow('There is no client nobody')
})

it('a program’s secret is shown once, and a public program has none', async () => {
  const { clientSecret } = await create({})
  expect(clientSecret).toMatch(/^satchel_client_[\w-]{43}$/)
  expect((await create({ isPublic: true })).clientSecret).toBeNull()
  const listed = await world.administration.listClients(projectId)
  expect(JSON.stringify(listed)).not.toContain(clientSecret)
  expect(listed.map(({ isConfidential }) => isConfidential)).toEqual([true, false])
})
