import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { silentLogger } from '../../../src/lib/logger.ts'
import { createWorld } from '../../../src/playground/create-world.ts'
import { Stage, silentTeller } from '../../../src/playground/flows/stage.ts'
import type { LndNetwork } from '../../nodes/lnd-network.ts'
import { until } from '../../nodes/lnd-process.ts'
import { fillFloat, lightningOf } from '../../nodes/lnd-scene.ts'
import { checkNodeBook, gainOf, readNodeBook } from '../../nodes/node-book.ts'
import type { OutsidePhone } from '../../nodes/outside-phone.ts'
import { LeapingClock } from './leaping-clock.ts'

const HOUR_MS = 3_600_000
/**
 * The steps of the book's clock and the real time for each, which is long enough for real nodes to answer within the
 * clock's time limits.
 */
const STEPS = { stepMs: 2_000, realMs: 20 }
const SATS = 600
const MAX_FEE = 10

/**
 * Withdraws to an invoice that its payee holds for an hour of the book's clock and then accepts. The sats must be
 * reserved during all that time, and leave once. Returns the faults as sentences.
 */
export async function hungForAnHour(network: LndNetwork, phone: OutsidePhone): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-hour-'))
  const clock = new LeapingClock()
  const opening = await readNodeBook(network.ours)
  const realNode = { lightning: await lightningOf(network), phone, fillFloat: fillFloat(phone, () => undefined) }
  const world = await createWorld({ clock, entropy: systemEntropy, logger: silentLogger, folder, realNode })
  try {
    const stage = new Stage(world, silentTeller)
    const held = await withdrawal(stage, phone, clock)
    const now = await atRest(network)
    const service = (await world.books()).find(({ side }) => side === 'service')
    const booked = -(service?.totals.node ?? 0n)
    const gained = gainOf(opening, now)
    const node = gained === booked ? [] : [`the node gained ${gained} msats, and the service has booked ${booked}`]
    const faults = (await world.books()).flatMap((book) => book.faults)
    const audit = await world.bot.tipping.audit()
    return [...held, ...faults, ...audit.faults, ...checkNodeBook(opening, now), ...node]
  } finally {
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withdrawal(stage: Stage, phone: OutsidePhone, clock: LeapingClock): Promise<string[]> {
  const has = () => stage.holds('bot', 'member', 'alice')
  const [card] = await stage.command('alice', 'deposit', { amount: '5000' })
  if (card === undefined) throw new Error('there is no deposit card')
  await stage.pay(await stage.scan(card, 'deposit'))
  await stage.until('alice has sats', async () => (await has()) === 5_000)
  const hold = await phone.holdInvoice(BigInt(SATS) * 1_000n)
  const [asked] = await stage.command('alice', 'withdraw', { amount: String(SATS), to: hold.invoice })
  if (asked === undefined) throw new Error('nobody asks for a confirmation')
  // Nothing settles, so the command does not wait.
  await stage.person('alice').press(asked.channelId, asked.id, buttonOf(asked.components)).answered()
  await until('the payment has arrived and waits', () => hold.isHeld())
  await clock.leap(HOUR_MS, STEPS)
  const during = await has()
  await hold.settle()
  // The pauses between two polls have grown.
  for (let minutes = 0; (await stage.holds('bot', 'held', 'alice')) !== 0 && minutes < 120; minutes += 1) {
    await clock.leap(60_000, STEPS)
  }
  await stage.sees('alice', new RegExp(`Withdrawal of ${SATS}[\\s\\S]*Paid`))
  const after = await has()
  const faults: string[] = []
  if (during !== 5_000 - SATS - MAX_FEE) faults.push(`while it hung, alice had ${during} sats`)
  if (after > 5_000 - SATS || after < 5_000 - SATS - MAX_FEE) faults.push(`afterwards alice has ${after} sats`)
  return faults
}

function buttonOf(components: readonly unknown[]): string {
  const id = /"custom_id":"(withdraw-confirm:[^"]+)"/.exec(JSON.stringify(components))?.[1]
  if (id === undefined) throw new Error('there is no button to confirm with')
  return id
}

async function atRest({ ours }: LndNetwork) {
  await until('nothing is under way', async () => (await readNodeBook(ours)).inFlight === 0n)
  return await readNodeBook(ours)
}
