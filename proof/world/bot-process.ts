import type { Dispatcher } from 'undici'
import { createReplayKnowledge } from '../../src/assembly/replay-knowledge.ts'
import { LedgerUnavailable } from '../../src/ledger/ledger.ts'
import { createPaymentsClient, verifyCallback } from '../../src/payments-api/payments-api.ts'
import { openTippingDatabase, type TippingDatabase } from '../../src/tipping/core/database.ts'
import type { TippingSettings } from '../../src/tipping/core/settings.ts'
import { createTipping } from '../../src/tipping/create-tipping.ts'
import type { Tipping } from '../../src/tipping/tipping.ts'
import type { Judge } from '../judge/judge.ts'
import type { BeaconServer } from './beacon-server.ts'
import { seededEntropy } from './chance.ts'
import { crashing, Died, type Life, onSickDisk } from './crashing-database.ts'
import { isDatabaseAway } from './database-away.ts'
import type { FaultyProvider } from './faulty-provider.ts'
import type { MemberWallets } from './member-wallets.ts'
import { broken, type Reply, refused } from './network.ts'
import { LEASE_RENEWALS, Process, type ProcessParts } from './process.ts'
import { type Server, type SimulatedRequest, simulatedDispatcher, simulatedFetch } from './simulated-http.ts'
import { warmTipping } from './warm-clients.ts'
import { watchfulLog } from './watchful-log.ts'

export interface BotProcessParts extends ProcessParts {
  readonly paymentsUrl: string
  readonly keys: BotKeys
  /** The faulty provider that stands between this process and the service. */
  readonly provider: FaultyProvider
  /** The address of the bot's web server. */
  readonly publicUrl: string
  readonly settings: Partial<TippingSettings>
  /** The source of bitcoin's price; undefined without one. */
  readonly ratesUrl: string | undefined
  /** The public beacon that draws use. */
  readonly beacons: BeaconServer['options']
  /** The wallets of members. */
  readonly memberWallets: MemberWallets
  /** The judge, who records the traffic between this process and its provider. */
  readonly judge: Judge
}

/** The bot's keys at the provider; if they change, the next start uses the new ones. */
export interface BotKeys {
  readonly apiKey: string
  readonly callbackSecret: string
}

/** The bot's side as a process of the simulated world: tipping, its payments client and its server for callbacks. */
export class BotProcess extends Process<Tipping, TippingDatabase> {
  readonly #parts: BotProcessParts
  keys: BotKeys
  #secret = ''

  constructor(parts: BotProcessParts, name = 'bot') {
    super(name, parts, (url, disk) =>
      openTippingDatabase(url, (adapter) => warmTipping(onSickDisk(adapter, disk)), disk.failed),
    )
    this.#parts = parts
    this.keys = parts.keys
  }

  protected confirmIn({ write }: TippingDatabase, confirmedAt: Date): Promise<unknown> {
    return write.bookTime.updateMany({ data: { confirmedAt } })
  }

  protected async run(database: TippingDatabase): Promise<Tipping> {
    const { network, internet, paymentsUrl, publicUrl, settings, faults, trace } = this.#parts
    const { onComplaint, isExcused, judge, provider } = this.#parts
    const { apiKey, callbackSecret } = this.keys
    this.#secret = callbackSecret
    const { life, clock, chance } = this
    const logger = watchfulLog({ side: 'bot', life, trace, onComplaint, isExcused })
    const runtime = { clock, entropy: seededEntropy(chance, clock), logger }
    const replays = createReplayKnowledge(runtime)
    const payments = createPaymentsClient({
      baseUrl: paymentsUrl,
      apiKey,
      clock,
      replaysKeys: replays.known,
      dispatcher: overheard(
        simulatedDispatcher({ network, life, server: provider.inFrontOf(overhear(internet, judge)) }),
        life,
        judge,
      ),
    })
    await replays.learn(payments)
    const tipping = await createTipping({
      ...runtime,
      database: crashing(database, life, chance, () => faults.deaths),
      alone: this.#parts.alone,
      ownershipTimes: LEASE_RENEWALS,
      payments,
      replaysKeys: replays.known,
      stillReplays: replays.confirm,
      askedForReplays: replays.asked,
      takeUpReplayKeys: replays.takeUp,
      ratesUrl: this.#parts.ratesUrl,
      ...this.#parts.beacons,
      ownWallets: this.#parts.memberWallets.options,
      outgoing: simulatedFetch({ network, life, server: internet }),
      settings: { callbackUrl: (token) => `${publicUrl}/callbacks/${token}`, ...settings },
    })
    const close = async () => {
      await tipping.close()
      replays.close()
    }
    return Object.assign(Object.create(tipping) as Tipping, { close })
  }

  /** Receives a callback as the web server does, which accepts only signed ones, and only as hints. */
  async receive({ url, headers, body = '' }: SimulatedRequest): Promise<Reply> {
    const { running: tipping, life, clock } = this
    if (tipping === undefined) throw refused()
    const verdict = verifyCallback({ headers, body, secrets: [this.#secret], clock })
    if (!verdict.genuine && verdict.reason !== 'stale') return { status: 401, headers: {}, body: '' }
    try {
      const token = url.pathname.slice('/callbacks/'.length)
      const heard = await Promise.race([tipping.hint(token, JSON.parse(body)), life.death])
      return { status: heard === 'noted' ? 204 : 404, headers: {}, body: '' }
    } catch (error) {
      // Errors to which the web server would answer 500; a stopping bot accepts nothing.
      const stops = this.stopping && error instanceof LedgerUnavailable
      const away = isDatabaseAway(error, this.#parts.faults)
      if (!(error instanceof Died) && !stops && !away) this.#parts.onBug('a callback is not heard', error)
      throw broken()
    }
  }
}

/** Returns a dispatcher that also shows the judge each request to the provider, and how it ends for the bot. */
function overheard(dispatcher: Dispatcher, life: Life, judge: Judge): Dispatcher {
  const request = async (options: Dispatcher.RequestOptions) => {
    if (life.over) return await dispatcher.request(options)
    const asked = onTheWire(options)
    judge.wire.sent(asked, judge.now())
    try {
      const reply = await dispatcher.request(options)
      const parts: Buffer[] = []
      for await (const part of reply.body) parts.push(part)
      judge.wire.heard(asked, { status: reply.statusCode, body: Buffer.concat(parts).toString() }, judge.now())
      return { ...reply, body: parts }
    } catch (error) {
      judge.wire.heard(asked, undefined, judge.now())
      throw error
    }
  }
  return { request } as unknown as Dispatcher
}

/** Returns the provider's server, wrapped so that the judge sees its answers. */
function overhear(server: Server, judge: Judge): Server {
  return async (request) => {
    const reply = await server(request)
    judge.wire.answered(onTheWire({ ...request, path: request.url.pathname }), reply.status, reply.body)
    return reply
  }
}

function onTheWire({
  method,
  path,
  headers,
  body,
}: Pick<Dispatcher.RequestOptions, 'method' | 'path' | 'headers' | 'body'>) {
  const key = (headers as Readonly<Record<string, string>>)['idempotency-key']
  return { method, path, key, body: typeof body === 'string' ? body : undefined }
}
