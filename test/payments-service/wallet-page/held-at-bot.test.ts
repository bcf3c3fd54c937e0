import { beforeEach, describe, expect, it } from 'vitest'
import { heldAtBot } from '../../../src/assembly/held-at-bot.ts'
import { type Msats, sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld } from '../harness.ts'
import { Browser, signedIn, words } from './browser.ts'

let world: ServiceWorld
let own: string
let isAway: boolean
const asked: string[] = []
const balances: Record<string, Msats> = { alice: sats(19_478), bob: sats(5), carol: 0n as Msats }

beforeEach(async () => {
  asked.length = 0
  isAway = false
  const available = async (member: string) => {
    asked.push(member)
    if (member === 'broken') throw new Error('the bot’s book is closed')
    return balances[member] ?? (0n as Msats)
  }
  const tipping = () => (isAway ? undefined : ({ balances: { available } } as never))
  world = await ServiceWorld.open({ heldAtBot: heldAtBot({ isOwn: (id) => id === own, tipping }) })
})

/** Returns the first page of a wallet, which a project opens for one of its own people. */
async function home(client: Awaited<ReturnType<ServiceWorld['project']>>['client'], reference: string) {
  const { data: user } = await client.openUser({ reference, gamertag: `${reference}-tag` })
  const { data: link } = await client.createSignInLink({ id: user.id })
  const browser = new Browser(world)
  const { pathname, search } = new URL(link.url)
  await browser.open(pathname + search)
  await browser.submit('/wallet/sign-in')
  return words(await browser.open('/wallet'))
}

describe('the wallet page beside a bot', () => {
  it('shows a member’s balance on Discord and how to move it to the wallet', async () => {
    const { client, projectId } = await world.project()
    own = projectId
    expect(await home(client, 'alice')).toMatch(
      /You also have 19,478 test sats in your Discord balance\. \/wallet on Discord moves it here\./,
    )
    expect(await home(client, 'bob')).toContain('You also have 5 test sats')
    expect(await home(client, 'carol')).toContain('The person who runs this service holds these sats for you')
  })

  it('shows no Discord balance if it is 0, or if the bot is unreachable or fails', async () => {
    const { client, projectId } = await world.project()
    own = projectId
    expect(await home(client, 'carol')).not.toContain('You also have')
    expect(await home(client, 'broken')).toMatch(/Your balance(?!.*You also have)/)
    isAway = true
    expect(await home(client, 'alice')).toMatch(/Your balance(?!.*You also have)/)
  })

  it('shows no Discord balance to users created by another project or by operators', async () => {
    const { projectId } = await world.project()
    own = projectId
    const { client } = await world.project()
    expect(await home(client, 'alice')).not.toContain('You also have')
    const { browser } = await signedIn(world, 'alice')
    expect(words(await browser.open('/wallet'))).not.toContain('You also have')
    expect(asked).toEqual([])
  })
})
