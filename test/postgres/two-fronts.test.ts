import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Evidence } from '../../proof/judge/evidence.ts'
import { createFrontsStage, type FrontsStage, type Instance } from '../../proof/kills/fronts/fronts-stage.ts'
import { openOperations, proofAfterStorm } from '../../proof/kills/proof.ts'
import { forgotten, isTakenBack, type Reported } from '../../proof/kills/reported.ts'
import { buttonOf, Traffic } from '../../proof/kills/traffic.ts'
import { Chance } from '../../proof/world/chance.ts'
import { GAMERTAGS } from '../../proof/world/processes/stage.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { textOf } from '../../src/playground/tour/text-of.ts'
import { databaseFor } from '../support/postgres/databases.ts'

/**
 * Two fronts and two services, each its own process behind a balancer, on one PostgreSQL. People use the fronts; a
 * front and a service are killed while a withdrawal is at the node, and come back.
 */

const A_SAT = 1_000
let stage: FrontsStage
let traffic: Traffic
/** The bot's public messages, as they were posted. */
const posted: MessageView[] = []

beforeAll(async () => {
  const books = {
    tipping: await databaseFor('two-fronts tipping', 'tipping'),
    payments: await databaseFor('two-fronts payments', 'payments'),
  }
  stage = await createFrontsStage(books)
  stage.emulator.subscribe((event) => {
    if (event.type !== 'message-created' || event.visibleTo !== null) return
    if (event.message.author.id === stage.emulator.applicationId) posted.push(event.message)
  })
  await stage.start()
  // Withdrawals are made below, so that none happens to be between service and node when a service is killed: then it
  // would take ten minutes until it is known that the node never heard of it.
  const weights = { withdrawal: 0 }
  const options = { openDeposits: stage.openDeposits, weights, everyMs: 150, timeoutMs: 30_000 }
  traffic = new Traffic(stage, new Chance('two fronts'), options)
  for (const [who, gamertag] of Object.entries(GAMERTAGS))
    await insist(() => traffic.command(who, 'link', { wallet: gamertag }))
  for (const who of ['alice', 'bob', 'carol']) {
    await insist(() => traffic.command(who, 'deposit', { amount: '20000' }))
    const [request = ''] = await stage.openDeposits()
    await stage.phone.pay(request)
    await hold(`${who} has sats`, async () => (await balanceOf(who)) === 20_000 * A_SAT)
  }
}, 240_000)

afterAll(() => stage?.close(), 60_000)

const hold = (what: string, holds: () => Promise<boolean>) =>
  vi.waitFor(async () => expect(await holds(), what).toBe(true), { timeout: 120_000, interval: 100 })

async function balanceOf(who: string): Promise<number> {
  const sql = `SELECT "balance"::text AS balance FROM "Account" WHERE "kind" = 'member' AND "owner" = '${traffic.id(who)}'`
  const [row] = await stage.ask<{ balance: string }>('tipping', sql)
  return Number(row?.balance ?? 0)
}

/** Somebody does it again while nobody responds in time, on a busy machine or at a front that was killed: then nothing has moved. */
async function insist<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'The application did not respond') throw error
    }
  }
}

/** The traffic goes on until people got so many answers more. */
async function answers(more: number): Promise<void> {
  const enough = traffic.answers + more
  await vi.waitFor(() => expect(traffic.answers).toBeGreaterThanOrEqual(enough), { timeout: 60_000 })
}

/** A withdrawal of so many sats to an invoice; resolves when its confirmation was heard. Returns the command's id. */
async function withdraw(who: string, sats: number): Promise<string> {
  const { invoice } = await stage.phone.invoice(BigInt(sats * A_SAT))
  const ask = () => traffic.command(who, 'withdraw', { amount: `${sats}`, to: invoice })
  const { interaction, messages } = await insist(ask)
  const question = messages.find((message) => buttonOf(message, 'withdraw-confirm') !== undefined)
  if (question === undefined) throw new Error(`nobody asks: ${messages.map(textOf).join('\n')}`)
  // Its answer tells how it goes, and may wait for the node.
  await insist(async () => {
    const button = buttonOf(question, 'withdraw-confirm') ?? ''
    const pressed = stage.emulator.as(traffic.id(who)).press(question.channelId, question.id, button)
    const { failure } = await pressed.acknowledged()
    if (failure !== null) throw new Error(failure)
  })
  traffic.told.push({ kind: 'withdrawal', key: interaction, what: `${traffic.id(who)} ${sats * A_SAT}` })
  return interaction
}

const stateOf = async (interaction: string) => {
  const sql = `SELECT w."state" FROM "Operation" o JOIN "Withdrawal" w ON w."id" = o."record" WHERE o."interaction" = '${interaction}'`
  return (await stage.ask<{ state: string }>('tipping', sql)).map(({ state }) => state)
}

it('a killed front and service lose and double nothing, and raise each card once', async () => {
  const [front, service] = [stage.fronts.all[0] as Instance, stage.services.all[0] as Instance]
  const newcomersTip = await insist(() => traffic.command('alice', 'tip', { to: traffic.id('newcomer'), amount: '70' }))
  const before = await withdraw('bob', 200)
  await hold('bob is paid', async () => (await stateOf(before))[0] === 'paid')
  traffic.begin()
  await answers(40)

  // A withdrawal hangs at the node, and both that sent it are killed.
  stage.fronts.balancer.prefer(front.url)
  stage.services.balancer.prefer(service.url)
  await stage.phone.misbehave('hang')
  const hanging = await withdraw('carol', 300)
  await hold('the node has it', async () => stage.inFlight() === 1)
  await Promise.all([front.process.kill(), service.process.kill()])
  const [tip] = newcomersTip.messages
  if (tip === undefined) throw new Error('there is no tip to claim')
  await insist(() => traffic.press('newcomer', tip, 'claim'))
  await answers(40)

  await Promise.all([front.process.start(), service.process.start()])
  await stage.allReady()
  for (const { balancer } of [stage.fronts, stage.services]) balancer.prefer(undefined)
  expect(await stage.phone.release('settle')).toBe(1)
  const after = await withdraw('bob', 100)
  await answers(40)
  await traffic.end()
  await hold('everything has ended', async () => (await stage.open()).length === 0)
  for (const withdrawal of [hanging, after]) expect(await stateOf(withdrawal)).toEqual(['paid'])
  expect(await balanceOf('newcomer')).toBeGreaterThanOrEqual(70 * A_SAT)

  for (const { all, balancer } of [stage.fronts, stage.services]) {
    for (const { url } of all) expect(balancer.passed.get(url) ?? 0, url).toBeGreaterThan(20)
  }
  const evidence = await stage.judgeable()
  try {
    expect(traffic.calms()).toEqual([])
    expect(openOperations(evidence)).toEqual([])
    expect(proofAfterStorm(evidence)).toEqual([])
    expect(forgotten(evidence, traffic.told)).toEqual([])
    expectEachCardOnce(evidence)
  } finally {
    evidence.close()
  }
}, 900_000)

function expectEachCardOnce(evidence: Evidence): void {
  const { botBook } = evidence
  const cards = botBook.rows<{ message: string | null; pending: bigint }>('SELECT "message", "pending" FROM "Card"')
  expect(cards.filter(({ pending }) => pending !== 0n)).toEqual([])
  // `answer`: private, and known by the answer's token alone.
  const messages = cards.flatMap(({ message }) => (message === null || message === 'answer' ? [] : [message]))
  expect(new Set(messages).size).toBe(messages.length)
  const given = (reported: Reported) => reported.kind === 'tip' && !isTakenBack(evidence, reported)
  const tips = traffic.told.filter(given).map(({ key }) => key)
  expect(tips.length).toBeGreaterThan(20)
  const { emulator, seeded } = stage
  const seen = emulator.as(seeded.people.alice).conversation(seeded.channels.tips, { limit: 10_000 })
  const cardsOf = new Map(tips.map((key) => [key, [] as string[]]))
  for (const message of seen) {
    const text = textOf(message)
    // What only rings for a member who was not named in time is not a card.
    if (message.visibleTo === null && text.includes(' tipped ')) cardsOf.get(message.interactionId ?? '')?.push(text)
  }
  expect([...cardsOf.values()].filter((texts) => texts.length !== 1)).toEqual([])
}
