import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProjectInvoice } from '../../../src/assembly/set-up/project-invoice.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import type { Evidence } from '../../judge/evidence.ts'
import { buildLnd, mustHaveGo } from '../../nodes/build-lnd.ts'
import { type LndNetwork, startLndNetwork } from '../../nodes/lnd-network.ts'
import { until } from '../../nodes/lnd-process.ts'
import { lightningOf } from '../../nodes/lnd-scene.ts'
import { checkNodeBook, gainOf, type NodeBook, readNodeBook } from '../../nodes/node-book.ts'
import { createOutsidePhone, type OutsidePhone } from '../../nodes/outside-phone.ts'
import { Progress } from '../../simulation/progress.ts'
import type { Chance } from '../../world/chance.ts'
import { createStage, FLOAT, GAMERTAGS, type Stage } from '../../world/processes/stage.ts'
import { openOperations, proofAfterStorm } from '../proof.ts'
import { forgotten, KINDS } from '../reported.ts'
import { openDepositsIn, Traffic } from '../traffic.ts'
import { channelsAreUp, killPrograms, shareOut, strikeNodes, VICTIMS } from './blows.ts'
import { hungForAnHour } from './hung-for-an-hour.ts'
import { createMemory, remember } from './memory.ts'

const CALM_LIMIT_MS = 240_000
/**
 * The time between two of people's actions, in ms; payments between real nodes take time, and five programs share this
 * machine.
 */
const SOMETHING_EVERY_MS = 150

interface Scene {
  readonly network: LndNetwork
  readonly phone: OutsidePhone
  readonly stage: Stage
  readonly chance: Chance
  readonly kills: number
  /** The file that stores the network's records. */
  readonly memory: string
}

/**
 * Runs `npm run prove -- kill --backend lnd`: people's traffic on real lnd. The service, the bot, our node, the hub and
 * the outside node are killed `kills` times in all; the outside node is also frozen, and the channel to that node runs
 * dry. Then the books of the bot, the service and the nodes must agree. Finally, a payment hangs for an hour. Resolves
 * to the exit code.
 */
export async function killOnLnd(kills: number, chance: Chance): Promise<number> {
  await mustHaveGo()
  const folder = mkdtempSync(join(tmpdir(), 'satchel-kills-lnd-'))
  const network = await startLndNetwork(await buildLnd(console.error))
  const phone = createOutsidePhone(network.outside)
  try {
    const memory = join(folder, 'memory.sqlite')
    createMemory(memory)
    const environment = await environmentOf(network, folder)
    const stage = await createStage({
      node: { environment, memory, phone: { ...phone, loseCallbacks: () => undefined } },
    })
    const wrong = await live({ network, phone, stage, chance, kills, memory }).finally(() => stage.close())
    for (const fault of wrong) console.error(`✗ ${fault}`)
    console.error('a payment hangs for an hour')
    for (const fault of await hungForAnHour(network, phone)) {
      console.error(`✗ after an hour: ${fault}`)
      wrong.push(fault)
    }
    if (wrong.length === 0) console.log('Not a msat was lost, doubled or invented, in any of the three books.')
    return wrong.length === 0 ? 0 : 1
  } finally {
    await phone.close()
    await network.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the environment variables by which a separate service process reaches our node. */
async function environmentOf(network: LndNetwork, folder: string) {
  const { url, macaroon, certificate } = await lightningOf(network)
  const file = join(folder, 'tls.cert')
  writeFileSync(file, certificate)
  return { LIGHTNING_BACKEND: 'lnd', LND_REST_URL: url, LND_MACAROON: macaroon.reveal(), LND_TLS_CERT_FILE: file }
}

async function live(scene: Scene): Promise<string[]> {
  const { network, stage, chance, kills, memory } = scene
  const openings = await booksOf(network)
  await stage.service.start()
  const float = await fillFloat(scene)
  await stage.bot.start()
  const evidence = { ...stage.look(), funded: { all: FLOAT as bigint, stranger: 0n } }
  const traffic = new Traffic(stage, chance.child('storm'), {
    openDeposits: openDepositsIn(evidence),
    everyMs: SOMETHING_EVERY_MS,
  })
  try {
    await begin(scene, traffic, evidence)
    traffic.begin()
    const progress = new Progress(kills, 'kills')
    const weather = { stage, network, chance, traffic, progress }
    const blows = shareOut(kills)
    await Promise.all([
      killPrograms(weather, 'service', blows.service),
      killPrograms(weather, 'bot', blows.bot),
      strikeNodes(weather, blows),
    ])
    progress.end()
    await traffic.end()
    console.error('calm, until everything has ended')
    const stuck = await untilEnded(evidence, network, openings)
    await Promise.all([stage.bot.stop(), stage.service.stop()])
    await remember(memory, network, new Set([float]))
    const nodes = await checkNodes(network, openings, evidence)
    const open = openOperations(evidence, stuck).map((each) => `${each} has not ended`)
    const books = open.length === 0 ? [...proofAfterStorm(evidence, stuck), ...nodes] : open
    report(scene, traffic, evidence)
    console.log(`Stuck at lnd, without an HTLC in any channel: ${stuck.size}, and reserved on both sides`)
    return [...traffic.calms(), ...books, ...forgotten(evidence, traffic.told)]
  } finally {
    evidence.close()
  }
}

/** Lets the outside phone pay the operator's first invoice. Resolves to the invoice's payment hash. */
async function fillFloat({ stage, phone }: Scene): Promise<string> {
  const asked = await createProjectInvoice(stage.serviceUrl, {
    apiKey: stage.apiKey,
    amount: FLOAT,
    description: 'The float of the bot',
    clock: systemClock,
  })
  await phone.pay(asked.invoice)
  await until('the float has arrived', () => asked.isPaid())
  await asked.close()
  return decodeInvoice(asked.invoice).paymentHash
}

/** Lets everybody link a wallet, and gives everybody sats. */
async function begin({ phone }: Scene, traffic: Traffic, evidence: Evidence): Promise<void> {
  for (const [who, gamertag] of Object.entries(GAMERTAGS)) await traffic.command(who, 'link', { wallet: gamertag })
  for (const who of ['alice', 'bob', 'carol']) await traffic.command(who, 'deposit', { amount: '20000' })
  const charges = evidence.botBook.rows<{ request: string }>('SELECT "request" FROM "Deposit"')
  for (const { request } of charges) await phone.pay(request)
  await until('everybody has sats', async () => openOperations(evidence).length === 0)
}

/**
 * Waits until everything has ended and the service's book has all of the node's receipts, or for a limited time.
 * Resolves to the hashes of the payments that lnd calls in flight while no channel has an HTLC: such payments never end
 * (docs/lightning-nodes/lnd.md).
 */
async function untilEnded(evidence: Evidence, network: LndNetwork, openings: Books): Promise<ReadonlySet<string>> {
  const { ours, hub, outside } = network
  await Promise.all([channelsAreUp(ours, 1), channelsAreUp(hub, 2), channelsAreUp(outside, 1)])
  const stuck = await stuckAt(network)
  // A deposit that nobody was told about is not an open operation. After a node was away, the service looks for it
  // within half a minute.
  const all = async () =>
    openOperations(evidence, stuck).length === 0 && (await checkNodes(network, openings, evidence)).length === 0
  await until('everything has ended', all, CALM_LIMIT_MS).catch(() => undefined)
  return await stuckAt(network)
}

async function stuckAt({ ours }: LndNetwork): Promise<ReadonlySet<string>> {
  const { payments } = await ours.call('GET', '/v1/payments?include_incomplete=true&max_payments=100000')
  const open = (payments as { status: string; payment_hash: string }[]).filter(({ status }) => status === 'IN_FLIGHT')
  return new Set(open.map(({ payment_hash }) => payment_hash))
}

type Books = Readonly<Record<'ours' | 'hub' | 'outside', NodeBook>>

async function booksOf({ ours, hub, outside }: LndNetwork): Promise<Books> {
  const [a, b, c] = await Promise.all([readNodeBook(ours), readNodeBook(hub), readNodeBook(outside)])
  return { ours: a, hub: b, outside: c }
}

/**
 * Compares our node's book with the service's, and the three nodes' books with each other: one node's gain is another's
 * loss.
 */
async function checkNodes(network: LndNetwork, openings: Books, { serviceBook }: Evidence): Promise<string[]> {
  const now = await booksOf(network)
  const gained = gainOf(openings.ours, now.ours)
  const booked = -serviceBook.balance('node', 'node')
  const faults = checkNodeBook(openings.ours, now.ours)
  if (gained !== booked) faults.push(`our node gained ${gained} msats, and the service has booked ${booked}`)
  const all = gained + gainOf(openings.hub, now.hub) + gainOf(openings.outside, now.outside)
  if (all !== 0n) faults.push(`the three nodes together gained ${all} msats`)
  return faults
}

function report({ stage, kills }: Scene, traffic: Traffic, { botBook, serviceBook, lightning }: Evidence): void {
  const blows = shareOut(kills)
  const actions = KINDS.reduce((sum, kind) => sum + traffic.counts[kind].begun, 0)
  const told = KINDS.map((kind) => `${kind} ${traffic.counts[kind].acknowledged} of ${traffic.counts[kind].begun}`)
  const seconds = Math.round(performance.now() / 1_000)
  console.log(`${seconds} s, kills: ${VICTIMS.map((name) => `${name} ${blows[name]}`).join(', ')}; ${actions} actions`)
  if (stage.bot.kills !== blows.bot || stage.service.kills !== blows.service) throw new Error('a kill was not counted')
  console.log(`Acknowledged to people: ${told.join(', ')}`)
  const states = botBook.rows<{ state: string; count: bigint }>(
    'SELECT "state", COUNT(*) AS count FROM "Withdrawal" GROUP BY "state"',
  )
  console.log(`Withdrawals: ${states.map(({ state, count }) => `${state} ${count}`).join(', ')}`)
  const [arrived] = lightning.rows<{ count: bigint }>(`SELECT COUNT(*) AS count FROM arrival WHERE payee = 'ours'`)
  const sent = lightning.rows<{ state: string; count: bigint }>(
    'SELECT state, COUNT(*) AS count FROM payment GROUP BY state',
  )
  console.log(
    `Over the channels: ${arrived?.count} came in; of ours ${sent.map(({ state, count }) => `${count} ${state}`).join(', ')}`,
  )
  console.log(`${botBook.moves} moves in the bot's book, ${serviceBook.moves} in the service's`)
}
