import type { Config, Secret } from '../../config/config.ts'
import { Problem } from '../../lib/problem.ts'
import type { Variables } from '../set-up/ask-node.ts'
import { checkToken } from '../set-up/check-token.ts'
import type { SettingQuestion } from '../set-up/questions.ts'

export interface LiveChecks {
  /** Discord's API without the version. */
  readonly apiUrl: string
  /** With which this process speaks to Discord. */
  readonly botToken: Secret
}

/** A change that the next start could read. */
export interface ChangedSettings {
  readonly questions: readonly SettingQuestion[]
  /** For the settings file; undefined removes a line. */
  readonly written: Variables
  /** What the next start will be. */
  readonly config: Config
}

/** Tries a change against the real thing, as set-up does. Resolves to what that has shown, in words. Throws Problem where it would not work. */
export async function tryChange({ written }: ChangedSettings, checks: LiveChecks): Promise<string[]> {
  const notes: string[] = []
  if (written.DISCORD_TOKEN !== undefined) notes.push(await tryToken(written.DISCORD_TOKEN, checks))
  if ('OPERATORS_CHANNEL_ID' in written && written.OPERATORS_CHANNEL_ID === undefined)
    notes.push('! Without a channel alerts go to the log alone. Look into it now and then.')
  return notes
}

async function tryToken(token: string, { apiUrl, botToken }: LiveChecks): Promise<string> {
  const check = await checkToken(token, apiUrl)
  if (!check.ok) throw new Problem(check.why)
  if (applicationIn(token) === applicationIn(botToken.reveal())) return `✓ This is the token of ${check.name}.`
  throw new Problem(
    `This is the token of another application, ${check.name}. Members know this bot by its own: copy the token from the Bot page of the application that runs here.`,
  )
}

/** A token begins with the id of its application. */
function applicationIn(token: string): string {
  return token.split('.')[0] ?? ''
}
