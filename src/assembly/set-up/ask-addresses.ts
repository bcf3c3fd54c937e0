import { ConfigProblem, parseConfig } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { isOfThisMachine } from '../../lib/http/outgoing-url.ts'
import type { Variables } from './ask-node.ts'
import { checkReach } from './check-reach.ts'
import type { Prompter } from './prompter.ts'
import { type Holder, PROXY, SERVICE_ADDRESS, WEB_ADDRESS } from './questions.ts'

/** What an address is for: its question, its port, and what set-up says about the address. */
interface Purpose {
  readonly question: typeof SERVICE_ADDRESS | typeof WEB_ADDRESS
  readonly port: { readonly name: 'SERVICE_PORT' | 'CALLBACK_PORT'; readonly standard: string }
  readonly before: (port: string) => string
  readonly example: string
  readonly without: string
}

const SERVICE: Purpose = {
  question: SERVICE_ADDRESS,
  port: { name: 'SERVICE_PORT', standard: '8787' },
  before: (port) =>
    `Wallets reach the bundled service over https: codes and Lightning Addresses carry its address. A proxy such as Caddy stands before port ${port}.`,
  example: 'https://pay.example.org',
  without:
    'Without an address, only wallets on this machine can pay a code, and /wallet gives no link. Invoices (/invoice) can be paid from anywhere.',
}

const CALLBACKS: Purpose = {
  question: WEB_ADDRESS,
  port: { name: 'CALLBACK_PORT', standard: '8788' },
  before: (port) => `The provider tells the bot about payments at an https address that leads to port ${port}.`,
  example: 'https://tips.example.org',
  without: 'Without an address the bot asks the provider itself: it notices payments later, and nothing is lost.',
}

const PAGES: Purpose = {
  ...CALLBACKS,
  before: (port) =>
    `Members connect their wallets on a page of the bot, at an https address that leads to port ${port}.`,
  without: 'Without an address nobody can connect a wallet. Set up again when you have one.',
}

/**
 * Asks for the public address of the bundled service, or of the bot's web server if the service is not used, and for
 * the proxy in front of it. Warns if a wallet could not reach the address. `settings` are the present settings, from
 * which the port is read.
 */
export async function askAddresses(
  prompter: Prompter,
  provider: Holder,
  clock: Clock,
  settings: Variables = {},
): Promise<Variables> {
  const purpose = { own: SERVICE, other: CALLBACKS, nobody: PAGES }[provider]
  const { question, port, before, example, without } = purpose
  const { name, what } = question
  prompter.say(`\n4. ${before(settings[port.name] || port.standard)}`)
  const none = { SERVICE_PUBLIC_URL: undefined, CALLBACK_PUBLIC_URL: undefined, TRUST_PROXY: undefined }
  for (;;) {
    const typed = await withScheme(
      prompter,
      await prompter.ask(`   ${what}, like ${example} (${name}; leave empty for none): `),
    )
    if (typed === '') {
      prompter.say(`   ! ${without}`)
      return none
    }
    const problem = whatIsWrong({ [name]: typed })
    if (problem === undefined) {
      const reach = await checkReach(typed, clock)
      prompter.say(`   ${reach.ok ? '✓' : '!'} ${reach.says}`)
      return { ...none, [name]: typed, TRUST_PROXY: await askProxy(prompter) }
    }
    prompter.say(`   ✗ ${problem}`)
  }
}

/** Adds https to an address without a scheme, and asks whether an address with http should have https. */
async function withScheme(prompter: Prompter, asTyped: string): Promise<string> {
  const typed = asTyped.replace(/\/+$/, '')
  if (typed === '') return ''
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(typed)) return `https://${typed}`
  const secure = typed.replace(/^http:/i, 'https:')
  if (secure === typed || !URL.canParse(typed) || isOfThisMachine(typed)) return typed
  const answer = await prompter.ask(
    `   Wallets follow codes over https only. [Enter] takes ${secure} · "http" keeps yours: `,
  )
  return answer.toLowerCase() === 'http' ? typed : secure
}

/** Asks for the proxy's addresses. Satchel itself serves plain http, so an https address needs a proxy. */
async function askProxy(prompter: Prompter): Promise<string> {
  prompter.say('   The proxy says who is asking in X-Forwarded-For. Satchel believes only the proxy that you name.')
  for (;;) {
    const typed = await prompter.ask(
      `   ${PROXY.what} (${PROXY.name}; empty: on this machine or its private network; or its addresses; or false for none): `,
    )
    const value = typed || 'true'
    const problem = whatIsWrong({ [PROXY.name]: value })
    if (problem === undefined) return value
    prompter.say(`   ✗ ${problem}`)
  }
}

function whatIsWrong(variables: Variables): string | undefined {
  try {
    parseConfig(variables)
    return undefined
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error
    return error.problems.join(' ')
  }
}
