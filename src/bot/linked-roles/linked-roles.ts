import type { REST } from '@discordjs/rest'
import { type APIApplication, Routes } from 'discord.js'
import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { Logger } from '../../lib/logger.ts'
import type { BackFromDiscord, LinkedRolesPages } from '../../lib/web/linked-roles-pages.ts'
import { startWorker, type Worker } from '../../lib/worker.ts'
import type { ConnectedRoles, Tipping } from '../../tipping/tipping.ts'
import { languageIn } from '../i18n/languages.ts'
import type { Translators } from '../i18n/translator.ts'
import { callsAt } from '../transport/permits.ts'
import { beginAttempt, untilOf } from './attempt.ts'
import {
  type Client,
  ConsentTrouble,
  consentUrl,
  exchange,
  renew,
  type Tokens,
  takeBack,
  tellFigures,
  whoConsented,
} from './discord-consent.ts'
import { drawDone, drawIntro, drawProblem, type Problem } from './pages.ts'
import { describeRecords } from './records.ts'

/** The settings of linked roles. Without these settings, there are no linked roles. */
export interface LinkedRolesSetting {
  readonly clientSecret: () => string
  /** The addresses of the page that explains linked roles, and of the page to which Discord sends browsers back. */
  readonly pageUrl: string
  readonly redirectUri: string
  readonly entropy: Entropy
}

interface Options {
  readonly setting: LinkedRolesSetting
  readonly tipping: Pick<Tipping, 'linkedRoles'>
  readonly translatorFor: Translators
  /** The senders of calls with the bot's token, and of calls without it. */
  readonly rest: REST
  readonly webhooks: REST
  /** The address of Discord's API. */
  readonly api: string
  readonly clock: Clock
  readonly log: Logger
}

/** The interval between searches for due connections, and the most connections that are processed at a time. */
const PAUSE_MS = 60_000
const MOST = 20
/** The time before their expiry at which tokens are renewed, because Discord may be unreachable for a while. */
const RENEW_BEFORE_MS = 24 * 60 * 60_000

/** Sends figures about members' gifts to Discord, for members who have consented. */
export class LinkedRolesFront implements LinkedRolesPages {
  readonly #options: Options
  #client: Client | undefined
  #worker: Worker | undefined

  constructor(options: Options) {
    this.#options = options
    options.tipping.linkedRoles.onForgotten((tokens) => void this.#takeBack(tokens))
  }

  /** Registers the records and the consent page with Discord, and starts sending changed figures. */
  async start(application: APIApplication): Promise<void> {
    const { rest, setting, translatorFor, clock, log } = this.#options
    const { redirectUri, pageUrl, clientSecret } = setting
    this.#client = { applicationId: application.id, secret: clientSecret, redirectUri }
    try {
      await rest.put(Routes.applicationRoleConnectionMetadata(application.id), { body: describeRecords(translatorFor) })
      if (application.role_connections_verification_url !== pageUrl)
        await rest.patch(Routes.currentApplication(), { body: { role_connections_verification_url: pageUrl } })
    } catch (err) {
      log.warn({ err }, 'Discord did not take what linked roles need; the next start tries again')
    }
    if (application.redirect_uris?.includes(redirectUri) === false) {
      log.warn(
        { redirectUri },
        'linked roles do not work yet: add this address in the developer portal, on the page OAuth2, under Redirects',
      )
    }
    const failed = () => log.warn('what members gave could not be told to Discord; it is tried again')
    this.#worker = startWorker({ clock, round: () => this.#round(), pauseMs: PAUSE_MS, failed })
  }

  async close(): Promise<void> {
    await this.#worker?.close()
  }

  intro(acceptLanguage: string | undefined) {
    return drawIntro(this.#options.translatorFor(languageIn(acceptLanguage)))
  }

  begin() {
    const { setting, clock, api } = this.#options
    if (this.#client === undefined) return undefined
    const { secret, state } = beginAttempt(setting.entropy, setting.clientSecret(), clock.now())
    return { secret, url: consentUrl(api, this.#client, state) }
  }

  async finish({ acceptLanguage, ...came }: BackFromDiscord) {
    const t = this.#options.translatorFor(languageIn(acceptLanguage))
    const outcome = await this.#consented(came)
    if (typeof outcome === 'string') return { done: false, page: drawProblem(outcome, t) }
    const news = await this.#tell(outcome, 'answer')
    if (news === 'ended') return { done: false, page: drawProblem('over', t) }
    return { done: true, page: drawDone(outcome.figures, news === 'told', t) }
  }

  /** Resolves to the connection that an attempt creates, or to the reason why it creates none. */
  async #consented(came: Omit<BackFromDiscord, 'acceptLanguage'>): Promise<ConnectedRoles | Problem> {
    const { setting, clock, tipping } = this.#options
    const client = this.#client
    const until = untilOf(came, setting.clientSecret(), clock.now())
    if (client === undefined || until === undefined || came.secret === undefined) return 'over'
    if (!(await tipping.linkedRoles.useAttempt({ secret: came.secret, until }))) return 'over'
    if (came.error === 'access_denied') return 'denied'
    if (came.code === undefined) return 'over'
    try {
      const calls = callsAt(this.#options.webhooks, 'answer')
      const tokens = await exchange(calls, client, came.code, clock.now())
      const member = await whoConsented(calls, client, tokens)
      if (member === undefined) return 'incomplete'
      return await tipping.linkedRoles.connect({ member, tokens: JSON.stringify(tokens) })
    } catch (error) {
      if (!(error instanceof ConsentTrouble)) throw error
      if (error.refused === 'token') return 'over'
      this.#warnOf(error)
      return 'away'
    }
  }

  async #round(): Promise<void> {
    for (const connected of await this.#options.tipping.linkedRoles.takeDue(MOST)) {
      const { until } = read(connected.tokens)
      if (!connected.isShown || until - this.#options.clock.now() < RENEW_BEFORE_MS) {
        await this.#tell(connected, 'background')
      }
    }
  }

  /**
   * Sends one member's figures to Discord. Resolves to `ended` if the member has disconnected, or if Discord no longer
   * accepts the tokens, which are then deleted.
   */
  async #tell(connected: ConnectedRoles, urgency: 'answer' | 'background'): Promise<'told' | 'ended' | 'later'> {
    const { webhooks, tipping } = this.#options
    const client = this.#client
    if (client === undefined) return 'later'
    const { id, figures } = connected
    try {
      const tokens = await this.#fresh(connected, client)
      if (tokens === undefined) return 'ended'
      await tellFigures(callsAt(webhooks, urgency), client, tokens, figures)
      await tipping.linkedRoles.told({ id, figures })
      return 'told'
    } catch (error) {
      if (!(error instanceof ConsentTrouble)) throw error
      if (error.refused !== 'token') {
        this.#warnOf(error)
        return 'later'
      }
      await tipping.linkedRoles.end(id)
      return 'ended'
    }
  }

  /** Resolves to tokens that are renewed if they expire soon; undefined if the member has disconnected. */
  async #fresh({ id, tokens: stored }: ConnectedRoles, client: Client): Promise<Tokens | undefined> {
    const { webhooks, tipping, clock } = this.#options
    const tokens = read(stored)
    if (tokens.until - clock.now() >= RENEW_BEFORE_MS) return tokens
    const renewed = await renew(callsAt(webhooks, 'background'), client, tokens, clock.now())
    if (await tipping.linkedRoles.renewed({ id, tokens: JSON.stringify(renewed) })) return renewed
    await this.#takeBack(JSON.stringify(renewed))
    return undefined
  }

  #warnOf({ message: why, refused }: ConsentTrouble): void {
    const said =
      refused === 'secret'
        ? 'Discord does not accept DISCORD_CLIENT_SECRET, so linked roles stand still. Copy it again from the developer portal: OAuth2, Reset Secret.'
        : 'Discord did not take what linked roles need; it is tried again within an hour'
    this.#options.log.warn({ why }, said)
  }

  /**
   * Makes Discord delete a member's figures and revoke the tokens. Only logs a failure, because the tokens here are
   * deleted anyway.
   */
  async #takeBack(stored: string): Promise<void> {
    const { webhooks, log } = this.#options
    if (this.#client === undefined) return
    await takeBack(callsAt(webhooks, 'background'), this.#client, read(stored)).catch(() =>
      log.warn('Discord did not hear that a member disconnected their linked roles; the tokens are deleted here'),
    )
  }
}

function read(stored: string): Tokens {
  return JSON.parse(stored) as Tokens
}
