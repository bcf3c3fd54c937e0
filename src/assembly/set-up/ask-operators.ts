import type { Variables } from './ask-node.ts'
import type { Prompter } from './prompter.ts'
import { ALERT_CHANNEL, HOME_SERVER, OPERATORS } from './questions.ts'

const ID = /^\d{17,20}$/

/** The answers from an earlier set-up; undefined for those that are unknown. */
interface Known {
  readonly server: string | undefined
  readonly channel: string | undefined
  readonly operators: string | undefined
}

/** Asks for the operators' server, the alert channel, and the number of operators. */
export async function askOperators(prompter: Prompter, known: Known): Promise<Variables> {
  prompter.say(
    '\n5. Your own server gets /admin, for its administrators: the operators. What they must know is told in a channel there. Discord shows ids in Developer Mode (User Settings, Advanced): right-click the server, or on a phone tap its name, and Copy Server ID.',
  )
  const server = await askId(prompter, {
    what: `${HOME_SERVER.what} (${HOME_SERVER.name}; ${usually(known.server)})`,
    usual: known.server,
    problem: 'HOME_GUILD_ID must be a server id of 17 to 20 digits. Example: HOME_GUILD_ID=123456789012345678',
  })
  if (server === undefined) {
    prompter.say('   ! Without it there is no /admin, and alerts go to the log alone. Set up again to name one.')
    return { HOME_GUILD_ID: undefined, OPERATORS_CHANNEL_ID: undefined, OPERATORS: undefined }
  }
  const channel = await askId(prompter, {
    what: `${ALERT_CHANNEL.what}: right-click it, Copy Channel ID (${ALERT_CHANNEL.name}; ${usually(known.channel)})`,
    usual: known.channel,
    problem:
      'OPERATORS_CHANNEL_ID must be a channel id of 17 to 20 digits. Example: OPERATORS_CHANNEL_ID=123456789012345678',
  })
  if (channel === undefined) prompter.say('   ! Without it alerts go to the log alone. Look into it now and then.')
  return {
    HOME_GUILD_ID: server,
    OPERATORS_CHANNEL_ID: channel,
    OPERATORS: await askHowMany(prompter, known.operators),
  }
}

function usually(id: string | undefined): string {
  return id === undefined ? 'empty for none' : `empty for ${id}, "none" for none`
}

async function askId(
  prompter: Prompter,
  { what, usual, problem }: { readonly what: string; readonly usual: string | undefined; readonly problem: string },
): Promise<string | undefined> {
  for (;;) {
    const typed = await prompter.ask(`   ${what}: `)
    if (typed === '') return usual
    if (typed.toLowerCase() === 'none') return undefined
    if (ID.test(typed)) return typed
    prompter.say(`   ✗ ${problem}`)
  }
}

async function askHowMany(prompter: Prompter, stored: string | undefined): Promise<string> {
  prompter.say(
    '   Two operators must agree where money is decided by hand. If you are alone, your word takes effect 24 hours later.',
  )
  const usual = stored === 'one' ? 'one' : 'two'
  for (;;) {
    const typed = (
      await prompter.ask(`   How many operators are there, one or two (OPERATORS; empty for ${usual}): `, {
        title: OPERATORS.what,
        choices: OPERATORS.choices,
      })
    ).toLowerCase()
    if (typed === '') return usual
    if (typed === 'one' || typed === '1') return 'one'
    if (typed === 'two' || /^[2-9]$/.test(typed)) return 'two'
    prompter.say('   ✗ OPERATORS must be one or two.')
  }
}
