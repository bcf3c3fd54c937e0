import { createProjectInvoice } from '../../src/assembly/set-up/project-invoice.ts'
import { Secret } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { LND_METHODS } from '../../src/payments-service/backends/lnd/lnd-rights.ts'
import type { RealNode } from '../../src/playground/create-world.ts'
import type { Flow } from '../../src/playground/flows/flow.ts'
import { flows } from '../../src/playground/flows/flows.ts'
import { fromWalletToWallet } from '../../src/playground/flows/from-wallet-to-wallet.ts'
import { withdraw } from '../../src/playground/flows/sats-leave.ts'
import type { Stage, Teller } from '../../src/playground/flows/stage.ts'
import { type AddressServer, serveAddress } from './address-server.ts'
import { buildLnd, mustHaveGo } from './build-lnd.ts'
import { type LndNetwork, startLndNetwork } from './lnd-network.ts'
import { until } from './lnd-process.ts'
import { checkNodeBook, commitmentGrowth, gainOf, type NodeBook, readNodeBook } from './node-book.ts'
import { createOutsidePhone, type OutsidePhone } from './outside-phone.ts'

const FLOAT = sats(10_000)

/** The scene of the tour on real lnd. */
export interface LndScene {
  readonly realNode: RealNode
  readonly flows: readonly Flow[]
  close(): Promise<void>
}

/** Starts three lnd with channels between them. Throws Problem if Go, which builds lnd, is missing. */
export async function createLndScene(teller: Teller): Promise<LndScene> {
  await mustHaveGo()
  teller.chapter('A Lightning network of real lnd nodes')
  const say = (line: string) => teller.line(line)
  const network = await startLndNetwork(await buildLnd(say))
  const phone = createOutsidePhone(network.outside)
  const address = await serveAddress(phone.invoiceFor)
  const close = async () => {
    await Promise.all([address.close(), phone.close()])
    await network.close()
  }
  try {
    const opening = await readNodeBook(network.ours)
    tellChannels(say, 'ours', opening)
    const proof = flows.filter(isProof)
    // Members' own wallets pay each other without our node.
    const before = flows.filter((flow) => !isProof(flow) && flow !== fromWalletToWallet)
    const added = [withdrawToAddress(address), allWaysWereTaken(phone)]
    return {
      realNode: { lightning: await lightningOf(network), phone, fillFloat: fillFloat(phone, say) },
      flows: [...before, ...added, ...proof, nodesOwnBook(network, opening)],
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const isProof = ({ title }: Flow) => title === 'The proof'

/** Returns the settings of our node, with a macaroon that permits only what the backend needs. */
export async function lightningOf({ ours }: Pick<LndNetwork, 'ours'>) {
  const permissions = LND_METHODS.map((action) => ({ entity: 'uri', action }))
  const { macaroon } = await ours.call('POST', '/v1/macaroon', { permissions })
  return { kind: 'lnd', url: ours.url, macaroon: new Secret(macaroon), certificate: ours.certificate } as const
}

/** Returns a function that lets the operator pay the first invoice, as setup offers it. */
export function fillFloat(phone: OutsidePhone, say: (line: string) => void): RealNode['fillFloat'] {
  return async (service, apiKey) => {
    const description = 'The float of the bot'
    const asked = await createProjectInvoice(service.url, { apiKey, amount: FLOAT, description, clock: systemClock })
    say(`📱 the operator pays the first invoice, ${asked.invoice.slice(0, 24)}…: the bot's float of 10,000 sats`)
    await until('the float is paid', () => phone.pay(asked.invoice))
    await until('the float has arrived', () => asked.isPaid())
    await asked.close()
  }
}

function withdrawToAddress({ address }: AddressServer): Flow {
  return {
    title: 'Alice withdraws to a Lightning Address of the node outside',
    play: (stage) => withdraw(stage, { amount: '400', to: address }, 400),
  }
}

function allWaysWereTaken(phone: OutsidePhone): Flow {
  return {
    title: 'The payments that crossed the channels',
    async play(stage) {
      for (const line of (await phone.history()).toReversed()) {
        const arrow = line.direction === 'in' ? '→ outside' : 'outside →'
        stage.teller.line(`  ${arrow}  ${String(line.amount).padStart(12)} msats  ${line.paymentHash.slice(0, 16)}…`)
      }
      stage.mustBe('paid in by', [...phone.paidBy].sort().join(', '), 'BOLT11, LNURL')
    },
  }
}

/**
 * Returns the flow that checks the third book: our node's channels must have gained exactly the sum in the service's
 * book, to the msat.
 */
function nodesOwnBook({ ours, outside }: LndNetwork, opening: NodeBook): Flow {
  return {
    title: "The node's own book",
    async play(stage) {
      await until('nothing is under way', async () => (await readNodeBook(ours)).inFlight === 0n)
      const now = await readNodeBook(ours)
      tellChannels((line) => stage.teller.line(line), 'ours', now)
      tellChannels((line) => stage.teller.line(line), 'outside', await readNodeBook(outside))
      tellRecords(stage, opening, now)
      for (const fault of checkNodeBook(opening, now)) stage.teller.line(`✗ ${fault}`)
      stage.mustBe("the node's channels, records and capacities agree", checkNodeBook(opening, now).length, 0)
      const service = (await stage.world.books()).find(({ side }) => side === 'service')
      const booked = -(service?.totals.node ?? 0n)
      stage.mustBe('the node gained what the service has booked, in msats', gainOf(opening, now), booked)
    },
  }
}

function tellChannels(say: (line: string) => void, name: string, book: NodeBook): void {
  for (const { capacity, local, remote, commitment } of book.channels) {
    say(
      `  ${name.padEnd(8)} channel of ${capacity} sats = ${local} local + ${remote} remote + ${commitment} for its commitment transaction`,
    )
  }
}

function tellRecords(stage: Stage, opening: NodeBook, now: NodeBook): void {
  const lines = {
    'received by invoices': now.received - opening.received,
    'paid to others': opening.paid - now.paid,
    'routing fees': opening.fees - now.fees,
    'kept back for commitments': -commitmentGrowth(opening, now),
    'gain of the channels': now.settled - opening.settled,
  }
  for (const [what, amount] of Object.entries(lines)) {
    stage.teller.line(`  ${what.padEnd(28)} ${String(amount).padStart(16)} msats`)
  }
}
