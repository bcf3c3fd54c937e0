import type { Clock } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'
import { checkProvider, type ProviderCheck } from './check-provider.ts'
import { checkToken, inviteLink } from './check-token.ts'
import { writeEnvFile } from './env-file.ts'

/** Somebody at a terminal. */
export interface Prompter {
  say(text: string): void
  /** The answer without surrounding white space; empty when there is none. Rejects when nobody answers any more. */
  ask(question: string): Promise<string>
}

export interface SetUpOptions {
  readonly prompter: Prompter
  readonly clock: Clock
  /** Discord's API without the version. */
  readonly apiUrl: string
  /** Where the answers are written. */
  readonly envFile: string
  /** Generates the keys of the service in the box, and tries them. May throw Problem. */
  readonly prepareOwnService: () => Promise<ProviderCheck>
}

/**
 * Leads a person through the first start: asks for the bot's token and the provider, checks each against the real thing,
 * writes the `.env` file, and gives the link that invites the bot. Throws Problem where a person has to mend something
 * first.
 */
export async function setUp(options: SetUpOptions): Promise<void> {
  const { prompter, apiUrl, envFile } = options
  prompter.say(`This sets up Satchel on Discord. It writes ${envFile} at the end; Ctrl-C leaves the file unchanged.\n`)
  const { token, applicationId } = await askToken(prompter, apiUrl)
  const guild = await askGuild(prompter)
  const provider = await askProvider(options)
  writeEnvFile(envFile, {
    DISCORD_TOKEN: token,
    DISCORD_GUILD_ID: guild,
    PAYMENTS_BASE_URL: provider?.baseUrl,
    PAYMENTS_API_KEY: provider?.apiKey,
  })
  prompter.say(
    `\nWritten to ${envFile}, readable by you only. Invite the bot to your server:\n\n  ${inviteLink(applicationId)}\n`,
  )
  prompter.say('Then start the bot: npm start')
}

async function askToken(prompter: Prompter, apiUrl: string) {
  prompter.say(
    '1. Create an application at https://discord.com/developers/applications, open its Bot page, press Reset Token.',
  )
  for (;;) {
    const token = await prompter.ask('   The token: ')
    if (token === '') continue
    const check = await checkToken(token, apiUrl)
    if (check.ok) {
      prompter.say(`   ✓ This is the token of ${check.name}.`)
      if (!check.mayListMembers) {
        prompter.say(
          '   ! Tips to a role need Server Members Intent: switch it on on the Bot page. Everything else works without it.',
        )
      }
      return { token, applicationId: check.applicationId }
    }
    prompter.say(`   ✗ ${check.why}`)
  }
}

async function askGuild(prompter: Prompter): Promise<string | undefined> {
  prompter.say(
    '\n2. With the id of your server the commands appear there at once. Without it they appear everywhere, within the hour.',
  )
  for (;;) {
    const guild = await prompter.ask('   The server id (leave empty for everywhere): ')
    if (guild === '') return undefined
    if (/^\d{17,20}$/.test(guild)) return guild
    prompter.say(
      '   ✗ DISCORD_GUILD_ID must be a server id of 17 to 20 digits: switch on Developer Mode, right-click the server, ' +
        'Copy Server ID. Example: DISCORD_GUILD_ID=123456789012345678',
    )
  }
}

async function askProvider({ prompter, clock, prepareOwnService }: SetUpOptions) {
  prompter.say(
    '\n3. Payments use the bundled service or another provider. The service starts with test sats; for real ones see docs/LIGHTNING-NODES.md.',
  )
  for (;;) {
    const baseUrl = (
      await prompter.ask('   The address of your provider (leave empty for the bundled service): ')
    ).replace(/\/+$/, '')
    if (baseUrl === '') {
      const check = await prepareOwnService()
      if (!check.ok) throw new Problem(check.why)
      prompter.say(`   ✓ ${check.says}`)
      return undefined
    }
    const apiKey = await prompter.ask('   Your API key there: ')
    const check = await checkProvider(baseUrl, apiKey, clock)
    if (check.ok) {
      prompter.say(`   ✓ ${check.says}`)
      return { baseUrl, apiKey }
    }
    prompter.say(`   ✗ ${check.why}`)
  }
}
