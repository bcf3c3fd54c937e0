import { beforeEach, describe, expect, it } from 'vitest'
import { LINK_LIFETIME_MS, SESSION_LIFETIME_MS } from '../../../src/tipping/administration/operator-sign-ins.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

const OLIVIA = { id: '1001', name: 'Olivia' }
const OSCAR = { id: '1002', name: 'Oscar' }
const INVENTED = 'A'.repeat(43)

beforeEach(async () => {
  world = await TippingWorld.open()
})
const signIns = () => world.tipping.administration.signIns

async function sessionOf(operator: { id: string; name: string }): Promise<string> {
  const signedIn = await signIns().signIn(await signIns().invite(operator))
  expect(signedIn?.operator).toMatchObject(operator)
  return signedIn?.session ?? ''
}

describe('a sign-in link', () => {
  it('signs in only one of two people who use it at once, and is not a session token', async () => {
    const link = await signIns().invite(OLIVIA)
    expect(await signIns().find(link)).toBeUndefined()
    const both = await Promise.all([signIns().signIn(link), signIns().signIn(link)])
    expect(both.filter((signedIn) => signedIn !== undefined)).toHaveLength(1)
    expect(await signIns().signIn(link)).toBeUndefined()
  })

  it('expires after 5 minutes, or when its operator requests another link', async () => {
    const [first, second] = [await signIns().invite(OLIVIA), await signIns().invite(OLIVIA)]
    expect(await signIns().signIn(first)).toBeUndefined()
    await world.clock.advance(LINK_LIFETIME_MS - 1)
    expect(await signIns().signIn(second)).toMatchObject({ operator: OLIVIA })
    const third = await signIns().invite(OLIVIA)
    await world.clock.advance(LINK_LIFETIME_MS)
    expect(await signIns().signIn(third)).toBeUndefined()
  })

  it('leaves other operators’ links and its operator’s sessions valid', async () => {
    const session = await sessionOf(OLIVIA)
    const oscars = await signIns().invite(OSCAR)
    const link = await signIns().invite(OLIVIA)
    expect(await signIns().find(session)).toMatchObject(OLIVIA)
    expect(await signIns().signIn(oscars)).toMatchObject({ operator: OSCAR })
    expect(await signIns().signIn(link)).toMatchObject({ operator: OLIVIA })
  })
})

describe('an operator’s session', () => {
  it('is valid for an hour, and its token does not work as a sign-in link', async () => {
    const session = await sessionOf(OLIVIA)
    expect(await signIns().signIn(session)).toBeUndefined()
    await world.clock.advance(SESSION_LIFETIME_MS - 1)
    expect(await signIns().find(session)).toMatchObject(OLIVIA)
    await world.clock.advance(1)
    expect(await signIns().find(session)).toBeUndefined()
  })

  it('ends when its operator signs out, while links and others’ sessions stay valid', async () => {
    const [session, other] = [await sessionOf(OLIVIA), await sessionOf(OSCAR)]
    const link = await signIns().invite(OLIVIA)
    await signIns().signOut(link)
    await signIns().signOut(session)
    expect(await signIns().find(session)).toBeUndefined()
    expect(await signIns().find(other)).toMatchObject(OSCAR)
    expect(await signIns().signIn(link)).toMatchObject({ operator: OLIVIA })
  })

  it('ends the operator’s oldest session if the operator already has 50', async () => {
    const link = await signIns().invite(OSCAR)
    const other = await sessionOf(OLIVIA)
    const sessions: string[] = []
    for (let i = 0; i < 51; i += 1) sessions.push(await sessionOf({ id: 'console:read-only', name: `${i}` }))
    const found = await Promise.all(sessions.map((session) => signIns().find(session)))
    expect(found.map((operator) => operator?.name)).toEqual([
      undefined,
      ...Array.from({ length: 50 }, (_, i) => `${i + 1}`),
    ])
    expect(await signIns().find(other)).toMatchObject(OLIVIA)
    expect(await signIns().signIn(link)).toMatchObject({ operator: OSCAR })
  })
})

describe('an invented token', () => {
  it.each([undefined, '', 'x', INVENTED, `${INVENTED}A`])('opens no session and writes nothing: %j', async (token) => {
    const session = await sessionOf(OLIVIA)
    world.failCommits = 1
    expect(await signIns().find(token)).toBeUndefined()
    expect(await signIns().signIn(token ?? '')).toBeUndefined()
    await signIns().signOut(token)
    expect(world.failCommits).toBe(1)
    world.failCommits = 0
    expect(await signIns().find(session)).toMatchObject(OLIVIA)
  })
})

it('the book stores sign-in links and sessions as hashes, and deletes expired ones', async () => {
  const session = await sessionOf(OLIVIA)
  const link = await signIns().invite(OLIVIA)
  const kept = JSON.stringify(await world.database.read.operatorPass.findMany())
  expect([kept.includes(session), kept.includes(link)]).toEqual([false, false])
  await world.clock.advance(LINK_LIFETIME_MS)
  await signIns().invite(OSCAR)
  expect(await world.database.read.operatorPass.findMany()).toMatchObject([
    { kind: 'session', operator: OLIVIA.id },
    { kind: 'link', operator: OSCAR.id },
  ])
})
