import type { SandboxNetwork } from '../../src/payments-service/backends/sandbox/sandbox-network.ts'
import { openPaymentsDatabase, type PaymentsDatabase } from '../../src/payments-service/core/database.ts'
import { createService, DEFAULT_SETTINGS, type Service } from '../../src/payments-service/service.ts'
import { seededEntropy } from './chance.ts'
import { crashing, Died, onSickDisk } from './crashing-database.ts'
import { faultyNode } from './faulty-node.ts'
import type { LateRequests } from './late-requests.ts'
import { broken, type Reply, refused } from './network.ts'
import type { Offers } from './offers.ts'
import { LEASE_RENEWALS, Process, type ProcessParts } from './process.ts'
import { type RelayParts, relayFor } from './relay.ts'
import type { Shortfalls } from './shortfalls.ts'
import { type SimulatedRequest, simulatedFetch } from './simulated-http.ts'
import { warmPayments } from './warm-clients.ts'
import { watchfulLog } from './watchful-log.ts'

export interface ServiceProcessParts extends ProcessParts {
  /** The service's public address. */
  readonly publicUrl: string
  readonly sandbox: SandboxNetwork
  readonly shortfalls: Shortfalls
  readonly lateRequests: LateRequests
  readonly offers: Offers
  readonly relay: RelayParts
}

/**
 * The payments service as a process of the simulated world, which listens at an address and can be killed at any
 * moment.
 */
export class ServiceProcess extends Process<Service, PaymentsDatabase> {
  /** Other processes on the same machine and book, whose clocks change with this one's. */
  besides: readonly ServiceProcess[] = []
  readonly #parts: ServiceProcessParts

  constructor(parts: ServiceProcessParts, name = 'service') {
    super(name, parts, (url, disk) =>
      openPaymentsDatabase(url, (adapter) => warmPayments(onSickDisk(adapter, disk)), disk.failed),
    )
    this.#parts = parts
  }

  override jumpClock(ms: number): void {
    super.jumpClock(ms)
    for (const other of this.besides) other.jumpClock(ms)
  }

  protected confirmIn({ write }: PaymentsDatabase, confirmedAt: Date): Promise<unknown> {
    return write.bookTime.updateMany({ data: { confirmedAt } })
  }

  protected run(database: PaymentsDatabase): Promise<Service> {
    const { network, internet, publicUrl, sandbox, shortfalls, lateRequests, offers, relay } = this.#parts
    const { trace, timeline, faults, onComplaint, isExcused } = this.#parts
    const { life, clock, chance } = this
    const road = simulatedFetch({ network, life, server: internet })
    return createService({
      database: crashing(database, life, chance, () => faults.deaths),
      backend: faultyNode({
        node: sandbox.backend,
        life,
        chance,
        trace,
        timeline,
        trouble: () => faults.node,
        ...{ shortfalls, lateRequests, offers },
      }),
      clock,
      entropy: seededEntropy(chance, clock),
      logger: watchfulLog({ side: 'service', life, trace, onComplaint, isExcused }),
      settings: {
        ...DEFAULT_SETTINGS,
        publicUrl,
        gamertagReservedDays: 0,
        publicRequestsPerSecond: 0,
        invoicesPerMinute: 0,
        // Zaps of test sats have their receipts at a relay of this machine alone.
        outgoingAllowLoopback: true,
      },
      alone: this.#parts.alone,
      ownershipTimes: LEASE_RENEWALS,
      port: null,
      outgoing: { callbacks: road, strangers: road, publish: relayFor(relay, life) },
    })
  }

  /**
   * Receives a request, as a server does. Rejects with the network's error if the process is dead, or if it dies
   * meanwhile.
   */
  async receive({ method, url, headers, body }: SimulatedRequest): Promise<Reply> {
    const service = this.running
    if (service === undefined) throw refused()
    const { life } = this
    const asked = service.inject({
      method: method as 'GET',
      url: url.pathname + url.search,
      headers,
      ...(body === undefined ? {} : { payload: body }),
    })
    try {
      const reply = await Promise.race([asked, life.death])
      // If the database cannot be read, nothing proves that an earlier request was not carried out.
      const unsure = this.#parts.faults.databaseAway && !(method === 'GET' && /^\/v\d\//.test(url.pathname))
      if (reply.statusCode === 500 && !unsure)
        this.#parts.onBug(`${method} ${url.pathname} is answered with 500`, reply.body)
      return { status: reply.statusCode, headers: reply.headers as Record<string, string>, body: reply.body }
    } catch (error) {
      throw error instanceof Died ? broken() : error
    }
  }
}
