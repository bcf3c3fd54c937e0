import type { Config, LightningConfig, Secret } from '../../config/config.ts'
import { Problem } from '../../lib/problem.ts'
import type { NodeInfo } from '../../payments-service/backends/backend.ts'
import type { Runtime } from '../runtime.ts'
import type { Variables } from '../set-up/ask-node.ts'
import { checkNode } from '../set-up/check-node.ts'
import { checkProvider } from '../set-up/check-provider.ts'
import { checkReach } from '../set-up/check-reach.ts'
import { checkToken } from '../set-up/check-token.ts'
import {
  ALERT_CHANNEL,
  HOME_SERVER,
  nodeQuestions,
  PROVIDER_KEY,
  PROVIDER_URL,
  SERVICE_ADDRESS,
  type SettingQuestion,
  WEB_ADDRESS,
} from '../set-up/questions.ts'

export interface LiveChecks {
  /** Discord's API address without the version. */
  readonly apiUrl: string
  /** The token that this process uses at Discord. */
  readonly botToken: Secret
  /** Returns whether the bot is in a server. */
  readonly isIn: (server: string) => boolean
  /**
   * Resolves to why the bot may not write in a channel; undefined if it may. `token` is the one that the bot uses from
   * the next start.
   */
  readonly whyNoChannel: (channel: string, token: Secret) => Promise<string | undefined>
  /** Resolves to why a node is not the node of the service's book; undefined if it is. */
  readonly whyNotOurs: (kind: string, node: NodeInfo) => Promise<string | undefined>
  readonly runtime: Runtime
}

/** Changed settings that the next start can read. */
export interface ChangedSettings {
  readonly questions: readonly SettingQuestion[]
  /** The variables for the settings file. For an undefined value, the variable's line is removed. */
  readonly written: Variables
  /** The next start's configuration. */
  readonly config: Config
}

const LATER =
  '! The payments are tried before this is written, not now: nothing secret goes to an address that one operator alone has named.'

/**
 * Tests a change against the real services, as set-up does. `mayReveal` says whether stored secrets may be sent to the
 * addresses in the change. It is false for a mere proposal: the address may belong to the proposer, who could take sats
 * with a secret that is sent there. Resolves to the results as text. Throws Problem if the change would not work.
 */
export async function tryChange(
  { written, config }: ChangedSettings,
  checks: LiveChecks,
  mayReveal: boolean,
): Promise<string[]> {
  const notes: string[] = []
  if (written.DISCORD_TOKEN !== undefined) notes.push(await tryToken(written.DISCORD_TOKEN, checks))
  if (ALERT_CHANNEL.name in written) notes.push(await tryChannel(written[ALERT_CHANNEL.name], config, checks))
  const home = written[HOME_SERVER.name]
  if (HOME_SERVER.name in written && home === undefined)
    notes.push("! Without the operators' server there is no /admin on Discord.")
  // The start looks for it, and stops without it.
  if (home !== undefined && !checks.isIn(home))
    throw new Problem(
      `The bot is not in the server ${home}, so it would not start (${HOME_SERVER.name}). Invite it there first.`,
    )
  const isChanged = ({ name }: SettingQuestion) => written[name] !== undefined
  if ([PROVIDER_URL, PROVIDER_KEY].some(isChanged))
    notes.push(mayReveal || isChanged(PROVIDER_KEY) ? await tryProvider(config, checks) : LATER)
  const { lightning } = config.service
  if (lightning.kind !== 'sandbox' && nodeQuestions(lightning.kind).some(isChanged))
    notes.push(...(mayReveal ? await tryNode(lightning, checks) : [LATER]))
  for (const address of [SERVICE_ADDRESS, WEB_ADDRESS].filter(isChanged)) {
    const { ok, says } = await checkReach(written[address.name] ?? '', checks.runtime.clock)
    notes.push(`${ok ? '✓' : '!'} ${says}`)
  }
  return notes
}

/**
 * Tests whether the bot may write in the channel for alerts. Without this test, nobody would notice a mistake until an
 * alert is lost.
 */
async function tryChannel(channel: string | undefined, { discord }: Config, checks: LiveChecks): Promise<string> {
  if (channel === undefined || discord === undefined)
    return '! Without a channel alerts go to the log alone. Look into it now and then.'
  const why = await checks.whyNoChannel(channel, discord.token)
  if (why !== undefined) throw new Problem(why)
  return '✓ The bot may write in the channel for alerts.'
}

async function tryProvider({ provider }: Config, { runtime }: LiveChecks): Promise<string> {
  const check = await checkProvider(provider?.baseUrl ?? '', provider?.apiKey.reveal() ?? '', runtime.clock)
  if (!check.ok) throw new Problem(check.why)
  return `✓ ${check.says}`
}

async function tryNode(node: Exclude<LightningConfig, { kind: 'sandbox' }>, checks: LiveChecks) {
  const check = await checkNode(node, checks.runtime)
  if (!check.ok) throw new Problem(check.why)
  const another = await checks.whyNotOurs(check.kind, check.info)
  if (another !== undefined) throw new Problem(another)
  return check.says
}

async function tryToken(token: string, { apiUrl, botToken }: LiveChecks): Promise<string> {
  const check = await checkToken(token, apiUrl)
  if (!check.ok) throw new Problem(check.why)
  if (applicationIn(token) === applicationIn(botToken.reveal())) return `✓ This is the token of ${check.name}.`
  throw new Problem(
    `This is the token of another application, ${check.name}, which members do not know. Copy the token from the Bot page of the application that runs here.`,
  )
}

/** Returns a token's first part, which encodes the application's id. */
function applicationIn(token: string): string {
  return token.split('.')[0] ?? ''
}
