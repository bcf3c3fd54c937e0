import { type BinaryLike, scrypt as scryptWith } from 'node:crypto'
import { promisify } from 'node:util'
import { refusalInWords } from '../bot/bot.ts'
import type { Config } from '../config/config.ts'
import { cached } from '../lib/cached.ts'
import type { Clock } from '../lib/clock.ts'
import { HttpProblem } from '../lib/http/http-problem.ts'
import { isSameSecret } from '../lib/http/is-same-secret.ts'
import { readFigures } from '../payments-service/monitoring/figures.ts'
import type { Service } from '../payments-service/service.ts'
import type { Operator, OperatorSignIns, Tipping } from '../tipping/tipping.ts'
import {
  type Access,
  BY_PASSWORD,
  type Console,
  mentionedIn,
  type OperatorsFigures,
  type OperatorsPage,
  type OperatorsPages,
  PasswordLock,
  READER,
  type ServiceSide,
} from '../web/web-server.ts'
import type { Runtime } from './runtime.ts'

const scrypt = promisify<BinaryLike, BinaryLike, number, Buffer>(scryptWith)

/** How long the figures are cached. The books are read no more often than this, however many operators look. */
const FIGURES_CACHE_TTL_MS = 2_000

/** How long a page waits for Discord. While Discord has trouble, a call to it can take minutes. */
const DISCORD_WAIT_MS = 3_000

interface Watched {
  readonly tipping: Pick<Tipping, 'administration' | 'testMoney'>
  /**
   * Resolves to whether somebody on Discord is an operator at present. Omitted if this process cannot know. Rejects
   * while Discord does not answer.
   */
  readonly isOperator?: (id: string) => Promise<boolean>
  /** Returns a server's name; undefined if it is unknown. By default, all are unknown. */
  readonly serverName?: (guild: string) => string | undefined
  /** Return the names of roles and people. By default, all are unknown. */
  readonly roleName?: Console['roleName']
  readonly memberName?: Console['memberName']
  /** The provider's base URL. */
  readonly provider: string
}

/** The operators' pages of an installation, which show nothing before the bot runs. */
export class OperatorsBoard implements OperatorsPages {
  readonly page: OperatorsPage
  readonly console: Console
  readonly #since: Date
  /** In milliseconds of the monotonic clock. */
  readonly #startedAt: number
  readonly #clock: Clock
  readonly #service: () => Promise<ServiceSide> | undefined
  #watched: Watched | undefined

  /** `service` returns the bundled service's state; undefined unless the service runs in this process. */
  constructor(
    { clock, entropy, logger, recent }: Runtime,
    config: Partial<Pick<Config, 'console' | 'operators'>> &
      Partial<Pick<Console, 'backUp' | 'redeliver' | 'settings' | 'atService'>> = {},
    service: () => Promise<ServiceSide> | undefined = () => undefined,
  ) {
    this.#since = new Date(clock.now())
    this.#startedAt = clock.monotonic()
    this.#service = service
    this.#clock = clock
    const figures = cached({ clock, ttlMs: FIGURES_CACHE_TTL_MS, maxKeys: 1, read: () => this.#read() })
    this.page = {
      signIns: () => this.#signIns(() => clock.monotonic()),
      figures,
      clock,
      logger: logger.child({ part: 'operators' }),
    }
    this.console = {
      signIns: this.page.signIns,
      passkeys: () => this.#mustWatch().tipping.administration.passkeys,
      isOperator: (id) => this.#isOperator(id),
      serverName: (guild) => this.#mustWatch().serverName?.(guild),
      roleName: (guild, role) => this.#mustWatch().roleName?.(guild, role),
      memberName: (member) => this.#memberName(member),
      testMoney: () => this.#mustWatch().tipping.testMoney,
      sealOf: (passkey) => sealOf(config.console, passkey),
      administration: () => this.#mustWatch().tipping.administration,
      figures: () => this.#read(),
      ...{ backUp: config.backUp, redeliver: config.redeliver, settings: config.settings },
      atService: config.atService ?? (() => undefined),
      log: recent && (() => recent.list()),
      isAlone: config.operators === 'one',
      accessOf: (password) => accessOf(config.console, password),
      hasPassword: config.console?.password !== undefined || config.console?.readPassword !== undefined,
      lock: new PasswordLock(clock),
      inWords: (refusal) => refusalInWords(refusal, this.#mustWatch().tipping.testMoney),
      ...{ clock, entropy, logger: logger.child({ part: 'console' }) },
    }
  }

  watch(watched: Watched): void {
    this.#watched = watched
  }

  /** Creates the token of a sign-in link for an operator. */
  invite(operator: Operator): Promise<string> {
    return this.#mustWatch().tipping.administration.signIns.invite(operator)
  }

  /**
   * Returns sign-ins that ignore sessions begun with a password before this start. A password changes only at a start,
   * so an old password is then useless.
   */
  #signIns(now: () => number): OperatorSignIns {
    const { signIns } = this.#mustWatch().tipping.administration
    return {
      ...signIns,
      find: async (session) => {
        const found = await signIns.find(session)
        const isByPassword = found?.id === BY_PASSWORD.id || found?.id === READER.id
        return isByPassword && found.ageMs > now() - this.#startedAt ? undefined : found
      },
    }
  }

  async #isOperator(id: string): Promise<boolean> {
    const { isOperator } = this.#mustWatch()
    if (isOperator === undefined) throw new Error('this process cannot tell who is an operator')
    return await this.#inTime(isOperator(id))
  }

  async #memberName(member: string): ReturnType<Console['memberName']> {
    const { memberName } = this.#mustWatch()
    return memberName && (await this.#inTime(memberName(member)))
  }

  /** Returns members' user names, without those that Discord does not provide in time. */
  async #namesOf(members: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>()
    const learn = async (member: string) => {
      const name = await this.#memberName(member).catch(() => undefined)
      if (name !== undefined) names.set(member, name.username)
    }
    await Promise.all([...new Set(members)].map(learn))
    return names
  }

  async #inTime<Said>(asked: Promise<Said>): Promise<Said> {
    const late = Promise.withResolvers<never>()
    const cancel = this.#clock.after(DISCORD_WAIT_MS, () => late.reject(new Error('Discord did not answer in time')))
    return await Promise.race([asked, late.promise]).finally(cancel)
  }

  #mustWatch(): Watched {
    if (this.#watched !== undefined) return this.#watched
    throw new HttpProblem(503, 'starting', 'The bot is starting. Try again in a few seconds.')
  }

  async #read(): Promise<OperatorsFigures> {
    const { tipping, provider } = this.#mustWatch()
    const { administration } = tipping
    const [bot, movement, service] = await Promise.all([
      administration.overview(),
      administration.movement(),
      this.#service(),
    ])
    return {
      bot,
      names: await this.#namesOf(bot.alerts.flatMap(({ text }) => mentionedIn(text))),
      movement,
      service,
      testMoney: tipping.testMoney,
      since: this.#since,
      provider: new URL(provider).host,
    }
  }
}

function accessOf(passwords: Config['console'] | undefined, typed: string): Access | undefined {
  const { password, readPassword } = passwords ?? {}
  if (password !== undefined && isSameSecret(typed, password.reveal())) return 'operator'
  return readPassword !== undefined && isSameSecret(typed, readPassword.reveal()) ? 'reader' : undefined
}

/**
 * Returns a hash of the password with this salt, slow to compute so that a reader of the book cannot guess the
 * password; undefined if no password is set.
 */
async function sealOf(passwords: Config['console'] | undefined, salt: string): Promise<string | undefined> {
  if (passwords?.password === undefined) return undefined
  return (await scrypt(passwords.password.reveal(), salt, 32)).toString('base64url')
}

/** Returns the state of a service in this process. */
export async function sideOf({ parts }: Pick<Service, 'parts'>): Promise<ServiceSide> {
  const { node, unknown, callbacks } = await readFigures(parts)
  const { health, balances } = node
  return {
    node: {
      ready: health.state === 'ready',
      reason: health.state === 'ready' ? undefined : health.reason,
      spendable: balances?.spendable,
      receivable: balances?.receivable,
    },
    unknown,
    callbacks,
  }
}
