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

/** The settings of linked roles. Without them there are none. */
export interface LinkedRolesSetting {
  readonly clientSecret: () => string
  /** The page's address, to which Discord also sends browsers back. */
  readonly pageUrl: string
  readonly redirectUri: string
  readonly entropy: Entropy
}

interface Options {
  readonly setting: LinkedRolesSetting
  readonly tipping: Pick<Tipping, 'linkedRoles'>
  readonly translatorFor: Translators
  /** Sends calls with the bot's token, or without a token. */
  readonly rest: REST
  readonly webhooks: REST
  /** The address of Discord's API. */
  readonly api: string
  readonly clock: Clock
  readonly log: Logger
}

/** The interval between searches for due connections, and the most that are processed at a time. */
const PAUSE_MS = 60_000
const MOST = 20
/** Tokens are renewed this long before they expire, because Discord may be unreachable for a while. */
const RENEW_BEFORE_MS = 24 * 60 * 60_000

/** Lets Discord show members' gifts, if they want that. */
export class LinkedRolesFront implements LinkedRolesPages {
  readonly #options: Options
  #client: Client | undefined
  #worker: Worker | undefined

  constructor(options: Options) {
    this.#options = options
    options.tipping.linkedRoles.onForgotten((tokens) => void this.#takeBack(tokens))
  }

  /** Tells Discord which figures exist and where people consent, and starts sending changes. */
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

  /** Returns the connection that an attempt creates, or why it creates none. */
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

  /** Sends one member's figures to Discord. `ended`: Discord no longer accepts the tokens, so they are deleted. */
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

  /** Returns tokens that are valid for a while; undefined if the member has disconnected. */
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

  /** Deletes the tokens here, whether or not Discord gets the message. */
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
