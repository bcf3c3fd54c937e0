import { heldAtBot } from '../../assembly/held-at-bot.ts'
import { storedProject } from '../../assembly/own-project.ts'
import { type StartedService, startService } from '../../assembly/start-service.ts'
import { parseConfig, type ServiceConfig } from '../../config/config.ts'
import { type Administration, createAdministration } from '../../payments-service/administration/administration.ts'
import { signInLink } from '../../payments-service/users/sign-in-token.ts'
import type { Tipping } from '../../tipping/tipping.ts'
import type { Databases } from './databases.ts'
import type { Ports } from './ports.ts'
import type { WorldOptions } from './world-options.ts'

/** The payments service of a world, with its sandbox Lightning network. */
export class ServicePart {
  readonly #options: WorldOptions
  readonly #ports: Ports
  readonly #databases: Databases
  readonly #tipping: () => Tipping | undefined
  #service: StartedService | undefined

  constructor(options: WorldOptions, ports: Ports, databases: Databases, tipping: () => Tipping | undefined) {
    this.#options = options
    this.#tipping = tipping
    this.#ports = ports
    this.#databases = databases
  }

  get running(): boolean {
    return this.#service !== undefined
  }

  /** The service's address, which is the same whether the service runs or not. */
  get url(): string {
    return `http://127.0.0.1:${this.#ports.service}`
  }

  get current(): StartedService {
    if (!this.#service) throw new Error('the payments service is not running')
    return this.#service
  }

  administration(): Administration {
    const { database, ledger, clock, entropy, settings } = this.current.parts
    const sandbox = this.#options.realNode === undefined
    return createAdministration({ database, ledger, clock, entropy, settings, sandbox })
  }

  /** Resolves to the immutable id of the gamertag's present user. */
  async userId(gamertag: string): Promise<string> {
    const name = await this.#databases.payments.read.name.findUnique({ where: { folded: gamertag.toLowerCase() } })
    if (!name?.userId) throw new Error(`nobody has the gamertag ${gamertag}`)
    return name.userId
  }

  async walletLink(gamertag: string): Promise<string> {
    if (!this.#service)
      throw new Error('The payments service is not running. Start the service again, and then open the wallet.')
    const userId = await this.userId(gamertag).catch(() => {
      throw new Error(`${gamertag} has no wallet here yet. To open one, use /wallet in the conversation.`)
    })
    const { token } = await this.administration().userToken(userId)
    return signInLink({ publicUrl: this.url }, token)
  }

  /** Starts the service. Does nothing if it runs already, or without custody, because there is no service then. */
  async start(): Promise<void> {
    if (this.#service || this.#options.custody === 'none') return
    const { folder, paymentTakesMs, phoneHolds, gamertagReservedDays, realNode } = this.#options
    const service: ServiceConfig = {
      ...parseConfig({}).service,
      ...(realNode !== undefined && { lightning: realNode.lightning }),
      port: this.#ports.service,
      databaseUrl: `file:${folder}/payments.sqlite`,
      callbacksAllowLoopback: true,
      outgoingAllowLoopback: true,
      gamertagReservedDays: gamertagReservedDays ?? 30,
      // All callers in this world share one address.
      publicRequestsPerSecond: 0,
      invoicesPerMinute: 0,
    }
    const ownProject = () => storedProject(folder)?.projectId
    this.#service = await startService({
      ...this.#options,
      config: { service, dataFolder: folder, host: '127.0.0.1', ratesUrl: this.#options.ratesUrl },
      database: this.#databases.payments,
      ownProject,
      heldAtBot: heldAtBot({
        isOwn: (projectId) => ownProject() === projectId,
        tipping: this.#tipping,
      }),
      paymentTakesMs,
      ...(phoneHolds !== undefined ? { outsideHolds: phoneHolds } : {}),
    })
  }

  async kill(): Promise<void> {
    const service = this.#service
    this.#service = undefined
    await service?.close()
  }
}
