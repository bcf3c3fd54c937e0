import { nameOwnProject, ownProject } from '../assembly/own-project.ts'
import { createEmulator } from '../discord-emulator/emulator.ts'
import { type SeededWorld, seedWorld } from '../discord-emulator/seed-world.ts'
import { openDataFolder } from '../lib/data-folder.ts'
import { sandboxToken } from '../payments-service/backends/sandbox/sandbox-token.ts'
import { CHART as SERVICE_CHART } from '../payments-service/core/chart-of-accounts.ts'
import { openPaymentsDatabase } from '../payments-service/core/database.ts'
import { CHART as BOT_CHART } from '../tipping/core/chart-of-accounts.ts'
import { openTippingDatabase } from '../tipping/core/database.ts'
import { type MemberWallets, startMemberWallets } from './member-wallets/member-wallets.ts'
import { viewBook } from './world/book-view.ts'
import { BotPart } from './world/bot-part.ts'
import type { Databases } from './world/databases.ts'
import { createNames } from './world/names.ts'
import { viewOwnWallets } from './world/own-wallets-view.ts'
import { storedPorts } from './world/ports.ts'
import { createSandboxPhone, payFromSandbox, type SandboxApi } from './world/sandbox-phone.ts'
import { ServicePart } from './world/service-part.ts'
import { viewWaiting } from './world/waiting-view.ts'
import { WireLog } from './world/wire-log.ts'
import type { WorldOptions } from './world/world-options.ts'
import type { Phone, PlaygroundWorld } from './world.ts'

export type { RealNode, WorldOptions } from './world/world-options.ts'

/**
 * The people who have a Lightning account in a new world, as `/wallet` would have opened it, and their gamertags. `mod`
 * implies authority, so it cannot be a gamertag. Carol, the newcomer and the outsider have no account.
 */
const GAMERTAGS = { alice: 'alice', bob: 'bob', dave: 'dave', mod: 'molly' }

/** The people with their own wallets, which are not connected at first. */
const WALLET_OWNERS = ['alice', 'bob']

/** Starts a world, or continues the world that the folder contains. Closing the world stops everything. */
export async function createWorld(options: WorldOptions): Promise<PlaygroundWorld> {
  const { clock, entropy, logger, custody = 'balances' } = options
  const folder = openDataFolder(options.folder)
  const ports = await storedPorts(folder, entropy, options.ports)
  const databases = await (options.openDatabases ?? openDatabases)(folder)
  const emulator = await createEmulator({
    dataFile: `${folder}/playground.sqlite`,
    clock,
    entropy,
    logger: logger.child({ part: 'emulator' }),
    port: ports.emulator,
    ...(options.discordRequestsPerSecond ? { requestsPerSecond: options.discordRequestsPerSecond } : {}),
  })
  const seeds = seedWorld(emulator, clock.now())
  const wire = new WireLog(clock)
  const losing = { callbacks: 0 }
  const service = new ServicePart(options, ports, databases, () => (bot.running ? bot.tipping : undefined))
  const home = { guildId: seeds.serverId, channelId: seeds.channels.mods }
  const bot: BotPart = new BotPart(options, { ports, databases, emulator, wire, losing, service, home })
  const sandbox = { url: () => service.url, token: sandboxToken(folder, entropy) }
  const memberWallets = await openMemberWallets(options, folder, sandbox)
  const names = createNames(emulator, databases)
  const world: PlaygroundWorld = {
    emulator,
    custody,
    cast: { server: seeds.serverId, channels: seeds.channels, people: peopleOf(seeds) },
    service,
    bot,
    memberWallets,
    ownWallets: () =>
      viewOwnWallets({ tipping: databases.tipping, wallets: memberWallets.list(), people: peopleOf(seeds) }),
    phone: withMemberWallets(phoneOf(options, sandbox, losing), memberWallets),
    async books() {
      const [botAccounts, serviceAccounts] = await Promise.all([names.botAccounts(), names.serviceAccounts()])
      const bots = viewBook(
        { side: 'bot', database: databases.tipping, chart: BOT_CHART, clock },
        { account: botAccounts, operations: names.botOperations },
      )
      if (custody === 'none') return [await bots]
      const services = viewBook(
        { side: 'service', database: databases.payments, chart: SERVICE_CHART, clock },
        { account: serviceAccounts, operations: async () => names.serviceOperation },
      )
      return await Promise.all([bots, services])
    },
    waiting: () => viewWaiting(databases.tipping, databases.payments, names.person),
    wire,
    settled: () => bot.settled(),
    async close() {
      await bot.kill()
      await service.kill()
      await emulator.close()
      await memberWallets.close()
      await Promise.all([databases.tipping.close(), databases.payments.close(), ports.giveBack()])
    },
  }
  try {
    await service.start()
    if (service.running) {
      await addAccounts(service, { databases, folder, people: world.cast.people })
      await options.realNode?.fillFloat(service.current, (await ownProject(service.current, folder)).apiKey)
    }
    await bot.start()
    if (service.running) await nameOwnProject(service.current, folder, bot.communityName)
    return world
  } catch (error) {
    await world.close()
    throw error
  }
}

function openMemberWallets({ clock, entropy, phoneHolds }: WorldOptions, folder: string, sandbox: SandboxApi) {
  return startMemberWallets(WALLET_OWNERS, {
    ...{ folder, clock, entropy, outsideHolds: phoneHolds },
    payService: async (from, invoice) => (await payFromSandbox(sandbox, { request: invoice, from })).preimage,
  })
}

function phoneOf({ realNode }: WorldOptions, sandbox: SandboxApi, losing: { callbacks: number }): Phone {
  const loseCallbacks = (count: number) => {
    losing.callbacks = count
  }
  if (realNode !== undefined) return { ...realNode.phone, loseCallbacks }
  return createSandboxPhone(sandbox, loseCallbacks)
}

function peopleOf(seeds: SeededWorld): Record<string, string> {
  return { ...seeds.people }
}

async function openDatabases(folder: string): Promise<Databases> {
  return {
    tipping: await openTippingDatabase(`file:${folder}/tipping.sqlite`),
    payments: await openPaymentsDatabase(`file:${folder}/payments.sqlite`),
  }
}

async function addAccounts(
  service: ServicePart,
  { databases, folder, people }: { databases: Databases; folder: string; people: Record<string, string> },
): Promise<void> {
  if ((await databases.payments.read.user.count()) > 0) return
  const { projectId } = await ownProject(service.current, folder)
  for (const [who, gamertag] of Object.entries(GAMERTAGS)) {
    const reference = people[who] ?? ''
    await service.administration().createUser(gamertag, false, { projectId, reference })
  }
}

/** Makes a phone pay invoices of members' own wallets even while the service is down. */
function withMemberWallets(phone: Phone, wallets: MemberWallets): Phone {
  return {
    ...phone,
    async pay(request, amount, comment) {
      const isInvoice = /^lnbc/i.test(request)
      return (
        (isInvoice ? await wallets.payFromOutside(request) : undefined) ?? (await phone.pay(request, amount, comment))
      )
    },
  }
}
