import { beforeEach, expect, it } from 'vitest'
import { RecentLines } from '../../src/lib/recent-lines.ts'
import { aliceHasSome } from '../tipping/funded-world.ts'
import type { TippingWorld } from '../tipping/world.ts'
import { PASSWORD, READ_PASSWORD, serveConsole } from './console-world.ts'

let world: TippingWorld
beforeEach(async () => {
  world = await aliceHasSome({ replays: false })
})
const PAGE = '/console/log'

it('the log page filters lines by level and by text, and shows no secrets', async () => {
  const visitor = await serveConsole(world, { recent: new RecentLines(world.clock) })
  await visitor.signIn('wrong password <b>here</b>')
  for (let i = 0; i < 4; i += 1) await visitor.other().signIn('wrong')
  await world.clock.advance(15 * 60_000)
  await visitor.signIn()
  await visitor.does('pause', { reason: 'a look' })
  const all = await visitor.look(PAGE)
  expect(all.text).toMatch(
    /an operator used the console[\s\S]*an operator signed in[\s\S]*Warning[\s\S]*wrong too often/,
  )
  const warnings = (await visitor.look(`${PAGE}?level=warn`)).text
  expect(warnings).toContain('wrong too often')
  expect(warnings).not.toContain('an operator signed in')
  const found = (await visitor.look(`${PAGE}?text=USED%20the`)).text
  expect(found).toContain('1 line.')
  expect(found).toContain('an operator used the console')
  for (const secret of [PASSWORD, 'wrong password', visitor.cookie.split('=')[1] ?? '?'])
    expect(all.text).not.toContain(secret)
})

it('the log page shows people’s names from Discord', async () => {
  const [known, unknown] = ['100000000000000001', '100000000000000002']
  const memberName = async (id: string) => (id === known ? { shown: 'Olivia', username: 'olivia' } : undefined)
  const recent = new RecentLines(world.clock)
  const visitor = await serveConsole(world, { recent, memberName })
  await visitor.signIn()
  for (const id of [known, unknown]) recent.add(JSON.stringify({ level: 'info', time: '', msg: `<@${id}> paused` }))
  const { text } = await visitor.look(PAGE)
  expect(text).toContain('\u2068Olivia\u2069 (@olivia) paused')
  expect(text).toContain('@100000000000000002 paused')
})

it.each(['?level=no&text=%3Cscript%3E', '?level=warn&level=info', '?text=a&text=b', '?level[]=x'])(
  'the log page is shown for the odd query %s',
  async (query) => {
    const visitor = await serveConsole(world, { recent: new RecentLines(world.clock) })
    await visitor.signIn()
    const { status, text } = await visitor.look(PAGE + query)
    expect(status).toBe(200)
    expect(text).not.toContain('<script>')
  },
)

it('the log page shows at most 300 lines, and how many there are in all', async () => {
  const recent = new RecentLines(world.clock)
  const visitor = await serveConsole(world, { recent })
  await visitor.signIn()
  for (let i = 0; i < 310; i += 1) recent.add(JSON.stringify({ level: 'info', time: '', msg: `line ${i}` }))
  const { text } = await visitor.look(PAGE)
  expect(/(\d+) lines\. The newest 300 are shown/.exec(text)?.[1]).toBe('312')
  expect(text.match(/<li data-level/g)).toHaveLength(300)
  expect(text).not.toContain('line 9<')
  expect((await visitor.look(`${PAGE}?text=line+9<`)).text).toContain('0 lines.')
  expect((await visitor.look(`${PAGE}?text=line+30`)).text).toContain('11 lines.')
})

it('the log page requires a sign-in, accepts readers, and works without a log', async () => {
  const visitor = await serveConsole(world, { recent: new RecentLines(world.clock) })
  expect((await visitor.look(PAGE)).status).toBe(401)
  await visitor.signIn(READ_PASSWORD)
  expect((await visitor.look(PAGE)).text).toContain('The log of the last hour')
  const other = await serveConsole(world)
  await other.signIn()
  expect((await other.look(PAGE)).text).toContain('This process keeps no log')
})
