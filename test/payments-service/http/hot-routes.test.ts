import { beforeEach, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'

let world: ServiceWorld
let project: TestProject
/** The models or kinds of the queries through Prisma. */
let asked: string[]

beforeEach(async () => {
  asked = []
  world = await ServiceWorld.open({ onPrisma: (name) => void asked.push(name) })
  project = await world.project()
  await world.user('alice')
})

const charge = async (callbackUrl = '') =>
  (await project.client.createGamertagCharge({ gamertag: 'alice', amount: sats(10), description: '', callbackUrl }))
    .data

/**
 * Runs `hot` twice, because the first run may read data that every request needs; resolves to the queries through
 * Prisma of the second run.
 */
async function prismaIn(hot: () => Promise<unknown>): Promise<string[]> {
  await hot()
  asked = []
  await hot()
  return asked
}

it('no frequently used route runs a query through Prisma', async () => {
  const pay = async (invoice: string) => {
    const { status } = (await project.client.sendPayment({ invoice })).data
    expect(status).toBe('completed')
  }
  expect(await prismaIn(() => project.client.getWallet())).toEqual([])
  expect(
    await prismaIn(() => project.client.payToGamertag({ gamertag: 'alice', amount: sats(1), description: '' })),
  ).toEqual([])
  const invoices = [await charge(), await charge()]
  expect(await prismaIn(() => charge())).toEqual([])
  expect(await prismaIn(() => project.client.createCharge({ amount: sats(10), description: '' }))).toEqual([])
  expect(await prismaIn(() => pay(invoices.pop()?.invoiceRequest ?? ''))).toEqual([])
})

it('a transfer and a page of transactions run no query through Prisma', async () => {
  const other = await world.project()
  await world.restart({ transferGroups: [[project.projectId, other.projectId]] })
  const { apiKey } = project
  const body = { amount: '1', receiverWalletId: other.projectId }
  expect(await prismaIn(() => world.raw('POST', '/v0/internal-transfer', { apiKey, body }))).toEqual([])
  expect(await prismaIn(() => world.raw('GET', '/v0/transactions', { apiKey }))).toEqual([])
})

it('paying an invoice inside the books uses Prisma only for the callback', async () => {
  const { invoiceRequest: invoice, id } = await charge('https://bot.example/paid')
  asked = []
  await project.client.sendPayment({ invoice })
  // The callback is delivered meanwhile, with its project's secret.
  expect(asked.filter((name) => /invoice|charge|payment|project|bookNode/i.test(name))).toEqual([])
  const callbacks = await world.service.parts.database.read.callback.findMany({ where: { resource: `charge:${id}` } })
  expect(callbacks.map(({ body }) => JSON.parse(body).status)).toEqual(['CHARGE_COMPLETED'])
})
