import { once } from 'node:events'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { permission } from '../../src/discord-emulator/world/permissions.ts'
import { type BalanceProof, faultsOfBalance } from '../../src/lib/proofs/balance-proof.ts'
import { startBotProcess } from '../../src/playground/flows/bot-is-killed.ts'
import { inFlight } from '../../src/playground/flows/service-is-down.ts'
import { SlowRoad } from '../../src/playground/flows/slow-road.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { fund, openStage } from './harness.ts'

/** Makes people administrators of the operators' server. */
function makeOperators(stage: Stage, ...names: string[]): void {
  const { emulator, cast } = stage.world
  const { id } = emulator.world.createRole(cast.server, { name: 'Operators', permissions: permission.administrator })
  for (const name of names) emulator.world.setRoles(cast.server, stage.id(name), [id])
}

/** Returns the messages that an operator sees in #mods. */
function told(stage: Stage, who: string): string {
  return stage.person(who).conversation(stage.channel('mods')).map(textOf).join('\n')
}

async function proofIn(message: MessageView): Promise<BalanceProof> {
  const attachment = must(message.attachments.find(({ contentType }) => contentType?.includes('json')))
  return (await (await fetch(attachment.url)).json()) as BalanceProof
}

/** Sends bob 300 sats, which arrive, although the answer is lost and the bot changes its provider. */
async function unknownPayment(stage: Stage): Promise<string> {
  const { bot, service } = stage.world
  await bot.kill()
  const road = await SlowRoad.open(service.url)
  const doomed = await startBotProcess(stage, road.url)
  const answerIsOnTheRoad = road.holdNextAnswer('/v0/gamertag/send-payment')
  stage.person('alice').run(stage.channel(), 'tip', { to: stage.id('bob'), amount: '300' })
  await answerIsOnTheRoad
  doomed.kill('SIGKILL')
  await once(doomed, 'exit')
  await road.close()
  const book = new Database(join(must(bot.environment().DATA_FOLDER), 'tipping.sqlite'))
  book.prepare(`UPDATE "Payout" SET "provider" = 'https://left.example#key' WHERE "state" = 'sending'`).run()
  book.close()
  await bot.start()
  await stage.world.settled()
  const [payment] = await bot.tipping.administration.unknown(10)
  return must(payment).id
}

describe('the command /status', () => {
  it('shows sats owed and held, and gives a member only the proof of their own balance', async () => {
    const stage = await openStage()
    makeOperators(stage, 'mod')
    await fund(stage, 'alice', 2_100)
    await stage.command('alice', 'tip', { to: stage.id('newcomer'), amount: '100' })
    stage.mustSay(
      await stage.command('mod', 'admin audit'),
      /The books are right[\s\S]*Owed in total: \*\*2,100 test sats/,
    )
    const [shown] = await stage.command('bob', 'status')
    expect(must(shown).ephemeral).toBe(false)
    expect(textOf(must(shown))).toMatch(
      /covers everything[\s\S]*Owed in total: 2,100 test sats[\s\S]*Payments on their way: None/,
    )
    const [own] = await stage.command('alice', 'status', { verify: true })
    expect(must(own).ephemeral).toBe(true)
    const proof = await proofIn(must(own))
    expect(proof).toMatchObject({ member: stage.id('alice'), balanceMsats: '2000000', totalMsats: '2100000' })
    expect(faultsOfBalance(proof)).toEqual([])
    expect(faultsOfBalance({ ...proof, balanceMsats: '2000001' })).not.toEqual([])
    expect(textOf(must(shown))).toContain(proof.root)
    stage.mustSay(await stage.command('carol', 'status', { verify: true }), /had no sats here/)

    const page = await fetch(`${stage.world.bot.callbackUrl}/status`)
    expect(page.headers.get('content-type')).toContain('text/html')
    const html = await page.text()
    expect(html).toContain(proof.root)
    expect(html).toContain('2,100 test sats')
    const data = await (await fetch(`${stage.world.bot.callbackUrl}/status.json`)).json()
    expect(data).toMatchObject({ proven: { holds: true, owedMsats: '2100000', root: proof.root } })
  })
})

describe('the command /admin', () => {
  it('is only for administrators of the operators’ server', async () => {
    const stage = await openStage()
    for (const who of ['alice', 'mod']) {
      const paths = stage
        .person(who)
        .commands(stage.channel())
        .map(({ path }) => path)
      expect(paths.filter((path) => path.startsWith('admin'))).toEqual([])
    }
    makeOperators(stage, 'mod')
    stage.mustSay(
      await stage.command('mod', 'admin pause', { reason: 'a look at the books' }),
      /Outgoing payments are paused/,
    )
    stage.mustSay(await stage.command('alice', 'status'), /a look at the books/)
    await stage.until('operators are told', async () => told(stage, 'mod').includes('a look at the books'))
    stage.mustSay(await stage.command('mod', 'admin resume'), /Outgoing payments are on/)
    stage.mustSay(await stage.command('mod', 'admin unknown'), /There are none/)
  })

  it('books no take-out that the wallet disproves or that only one operator proposes', async () => {
    const stage = await openStage()
    makeOperators(stage, 'mod', 'dave')
    await fund(stage, 'alice', 100)
    const book = (who: string, what: string, reason: string) =>
      stage.command(who, 'admin book', { what, amount: '1', reason })
    stage.mustSay(await book('mod', 'take-out', 'for the node'), /The wallet holds no less than the books say/)
    stage.mustSay(
      await stage.command('mod', 'admin suspense', { amount: '1', reason: 'hers', member: stage.id('alice') }),
      /Nothing is in suspense/,
    )
    // A deposit is open, so it may be paid unseen.
    await stage.command('alice', 'deposit', { amount: '50' })
    stage.mustSay(await book('mod', 'take-out', 'for the node'), /Noted: 1 test sat, taken out[\s\S]*second operator/)
    stage.mustSay(await book('mod', 'take-out', 'for the node'), /already proposed this booking/)
    expect(await stage.holds('bot', 'member', 'alice')).toBe(100)
  })

  it('needs two people to decide a payment whose outcome is unknown', { timeout: 60_000 }, async () => {
    const stage = await openStage({ gamertagReservedDays: 0 })
    makeOperators(stage, 'mod', 'dave')
    await fund(stage, 'alice', 1_000)
    await stage.command('bob', 'link', { wallet: 'bob' })
    const payment = await unknownPayment(stage)
    stage.mustSay(await stage.command('mod', 'admin unknown'), /300 test sats[\s\S]*Evidence so far/)
    const decide = (who: string, reason: string) =>
      stage.command(who, 'admin decide', { payment, outcome: 'paid', reason })
    stage.mustSay(await decide('mod', 'the provider shows it'), /counts when a second operator/)
    stage.mustSay(await decide('mod', 'I am sure'), /already proposed this outcome/)
    expect(await stage.holds('bot', 'held', 'bob')).toBe(300)
    stage.mustSay(await decide('dave', 'I have looked too'), /Decided/)
    expect(await stage.holds('service', 'wallet', 'bob')).toBe(300)
    expect(await stage.holds('bot', 'held', 'bob')).toBe(0)
    expect(await inFlight(stage)).toBe(false)
    await stage.until('operators are told', async () => /decided that[\s\S]*I have looked too/.test(told(stage, 'mod')))
  })
})
