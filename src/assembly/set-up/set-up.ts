import { inviteLink } from '../../bot/bot.ts'
import { readEnvFile } from '../../config/config.ts'
import { Problem } from '../../lib/problem.ts'
import { BACKENDS, type BackendName } from '../../payments-service/engine/node/backend-list.ts'
import { NodeMismatch } from '../../payments-service/engine/node/book-node.ts'
import type { Runtime } from '../runtime.ts'
import { askAddresses } from './ask-addresses.ts'
import { askNode, NO_NODE, preparedNodes, type Variables } from './ask-node.ts'
import { askOperators } from './ask-operators.ts'
import { checkProvider } from './check-provider.ts'
import { checkToken, configureApplication } from './check-token.ts'
import { writeEnvFile } from './env-file.ts'
import { offerFirstPayment } from './first-payment.ts'
import { checkOwnService, type OwnService } from './prepare-own-service.ts'
import type { Choice, Prompter } from './prompter.ts'
import { type Holder, INSTALL, PROVIDER_KEY, PROVIDER_URL, TOKEN } from './questions.ts'
import { untilMended } from './until-mended.ts'
import { type Answers, type Step, takeSteps } from './way-back.ts'

export interface SetUpOptions {
  readonly prompter: Prompter
  /** Where the person is, because some advice is only for a terminal. */
  readonly place: 'terminal' | 'browser'
  readonly runtime: Runtime
  /** Discord's API address without the version. */
  readonly apiUrl: string
  /** The file to which the answers are written. */
  readonly envFile: string
  /** The environment's variables, which take precedence over the file. */
  readonly environment: Variables
  /**
   * Runs the bundled service while `use` runs, with these variables instead of those in the old `.env` file. May throw
   * Problem.
   */
  readonly withOwnService: <Result>(variables: Variables, use: (own: OwnService) => Promise<Result>) => Promise<Result>
  /**
   * Permits the bot's book to begin with another provider, whatever the wallet there contains, unless there already was
   * a book. May throw Problem.
   */
  readonly allowFirstBook: (variables: Variables) => void
  /** The answers of an earlier run, which are offered again. This run adds its own answers. */
  readonly answers?: Answers
}

/** The results of set-up's steps. */
interface Settled {
  discord: { readonly token: string; readonly applicationId: string; readonly publicKey: string | undefined }
  userInstall: boolean
  payments: Payments
  addresses: Variables
  operators: Variables
}

/**
 * Leads a person through set-up: asks for the bot's token, the Lightning node or another provider, the public address,
 * and the operators; tests the answers at Discord, the node or the provider; writes the `.env` file; and shows the link
 * that invites the bot. With a real node, it also offers a first payment. If something fails on the way, no answer is
 * lost. Throws Problem if the settings file cannot be read.
 */
export async function setUp(options: SetUpOptions): Promise<void> {
  const { prompter, place, envFile, runtime } = options
  const untilThen =
    place === 'terminal'
      ? 'Ctrl-C leaves the file unchanged, and "back" returns to the question before'
      : 'until then nothing is changed'
  prompter.say(`This sets up Satchel on Discord. It writes ${envFile} at the end; ${untilThen}.\n`)
  const stored = readEnvFile(envFile)
  const { discord: application, userInstall, payments: chosen, addresses, operators } = await settle(options, stored)
  const { token, applicationId, publicKey } = application
  const { variables: payments, isTried } = chosen
  const provider = holderIn(payments)
  const variables = { ...payments, ...addresses, ...operators }
  if (provider === 'other') await untilMended(prompter, () => options.allowFirstBook(variables))
  const discord = {
    DISCORD_TOKEN: token,
    DISCORD_TOKEN_FILE: undefined,
    DISCORD_USER_INSTALL: userInstall ? 'on' : 'off',
  }
  if (stored.DISCORD_GUILD_ID) {
    prompter.say(
      `   ! DISCORD_GUILD_ID in ${envFile} keeps the commands in that one server, and out of private conversations. Remove the line unless you are testing.`,
    )
  }
  const before = await untilMended(prompter, () => writeEnvFile(envFile, { ...discord, ...variables }, runtime.clock))
  const aside = before === undefined ? '' : ` The file as it was is now ${before}.`
  prompter.say(`\nWritten to ${envFile}, readable by you only.${aside}`)
  warnOfEnvironment(options, { ...discord, ...variables })
  if (!isTried) prompter.say('Your node was not ready. When it is, set up again: each question comes again.')
  else if (provider === 'own') {
    const offer = (own: OwnService) => offerFirstPayment(prompter, own, runtime.clock)
    await untilMended(prompter, () => options.withOwnService(variables, offer), WITHOUT_PAYMENT)
  }
  prompter.say(`\nInvite the bot to your server:\n\n  ${inviteLink(applicationId)}\n`)
  if (operators.HOME_GUILD_ID !== undefined) {
    prompter.say("Do so before the start: the bot looks for the operators' server, and stops without it.")
  }
  if (place === 'terminal') prompter.say('Then start the bot: npm start')
  if (publicKey !== undefined && place === 'terminal') {
    prompter.say(
      `\nOne process answers all commands. Where it is to be several, Discord sends them by HTTP, and each needs this line (docs/SCALING.md):\n\n  DISCORD_PUBLIC_KEY=${publicKey}`,
    )
  }
}

/** Asks all questions. The person can go back to each question and change the answer. */
async function settle(options: SetUpOptions, stored: Variables): Promise<Settled> {
  const { apiUrl, runtime, environment } = options
  const settled: Partial<Settled> = {}
  const known = {
    server: stored.HOME_GUILD_ID ?? stored.DISCORD_GUILD_ID,
    channel: stored.OPERATORS_CHANNEL_ID,
    operators: stored.OPERATORS,
  }
  const steps: Step[] = [
    async (prompter) => {
      settled.discord = await askToken({ ...options, prompter }, stored.DISCORD_TOKEN)
    },
    async (prompter) => {
      settled.userInstall = await askInstallation(prompter, apiUrl, settled.discord?.token ?? '')
    },
    async (prompter) => {
      settled.payments = await askPayments({ ...options, prompter })
    },
    async (prompter) => {
      const holder = holderIn(settled.payments?.variables ?? {})
      settled.addresses = await askAddresses(prompter, holder, runtime.clock, { ...stored, ...environment })
    },
    async (prompter) => {
      settled.operators = await askOperators(prompter, known)
    },
  ]
  await takeSteps(options.prompter, steps, options.answers ?? new Map())
  return settled as Settled
}

function holderIn({ CUSTODY, PAYMENTS_BASE_URL }: Variables): Holder {
  if (CUSTODY === 'none') return 'nobody'
  return PAYMENTS_BASE_URL === undefined ? 'own' : 'other'
}

/** Warns that the environment's variables take precedence over the file. */
function warnOfEnvironment({ prompter, environment, envFile }: SetUpOptions, written: Variables): void {
  const names = Object.keys(written).filter((name) => environment[name] && environment[name] !== written[name])
  if (names.length === 0) return
  const [verb, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them']
  prompter.say(
    `   ! ${names.join(', ')} ${verb} set in the environment, which takes precedence over ${envFile}. Remove ${them} there to use what you chose here.`,
  )
}

/**
 * Asks for the bot's token until Discord accepts it. `stored` is the token from an earlier set-up: Discord shows a
 * token only once, so a second set-up must not need a new one.
 */
async function askToken({ prompter, place, apiUrl }: SetUpOptions, stored: string | undefined) {
  prompter.say(
    '1. Create an application at https://discord.com/developers/applications, open its Bot page, press Reset Token. What you paste here is not shown.',
  )
  for (;;) {
    const question = `   ${TOKEN.what}${stored === undefined ? '' : ' (empty for the one in .env)'}: `
    const typed = await prompter.ask(question, { hidden: TOKEN.hidden })
    const token = typed || (stored ?? '')
    if (token === '') {
      prompter.say(
        `   ! Paste the token here: Satchel needs it to speak on Discord.${place === 'terminal' ? ' To try Satchel without Discord, stop with Ctrl-C and run npm start.' : ''}`,
      )
      continue
    }
    const check = await checkToken(token, apiUrl)
    if (check.ok) {
      prompter.say(`   ✓ This is the token of ${check.name}.`)
      if (!check.mayListMembers) {
        prompter.say(
          '   ! Tips to a role need Server Members Intent. The Bot page has the switch. Everything else works without it.',
        )
      }
      return { token, applicationId: check.applicationId, publicKey: check.publicKey }
    }
    prompter.say(`   ✗ ${check.why}`)
  }
}

/**
 * Asks who may install the bot, and configures Discord's "Add App" button so that it adds the bot with its commands.
 */
async function askInstallation(prompter: Prompter, apiUrl: string, token: string): Promise<boolean> {
  prompter.say(
    `\n2. ${INSTALL.what} Then anybody on Discord can have a wallet with you, and use it everywhere (docs/growing.md). Servers can invite the bot in any case.`,
  )
  for (;;) {
    const choices = INSTALL.choices.map(({ value, label }) => ({ value: value === 'on' ? 'yes' : 'no', label }))
    const typed = (await prompter.ask('   yes or no (leave empty for no): ', { choices })).toLowerCase()
    if (!['', 'y', 'yes', 'n', 'no'].includes(typed)) {
      prompter.say(`   ✗ "${typed}" is neither yes nor no.`)
      continue
    }
    const userInstall = typed.startsWith('y')
    const why = await configureApplication(token, apiUrl, { userInstall })
    const done = userInstall ? 'Servers and people can install it.' : 'Only servers can install it.'
    prompter.say(why === undefined ? `   ✓ ${done} Discord's "Add App" button brings the bot along.` : `   ! ${why}`)
    return userInstall
  }
}

const NODES = BACKENDS.map(({ kind }) => kind)
const BACK: Choice = { value: 'back', label: 'Choose another node' }
const WITHOUT_PAYMENT: Choice = { value: 'skip', label: 'Go on without a payment' }
/** The settings without another provider: the bundled service holds the sats. */
const NO_PROVIDER: Variables = { PAYMENTS_BASE_URL: undefined, PAYMENTS_API_KEY: undefined, CUSTODY: undefined }
const OWN_WALLETS = 'Satchel holds no sats: members connect wallets of their own, and tip from wallet to wallet.'

interface Payments {
  readonly variables: Variables
  /** False if the settings could not be tested because the node will be ready later. */
  readonly isTried: boolean
}

const NO_BALANCES: Payments = {
  variables: { ...NO_PROVIDER, ...NO_NODE, LIGHTNING_BACKEND: undefined, CUSTODY: 'none' },
  isTried: true,
}

/** Asks for the bundled service's node or for another provider, and tests the choice. */
async function askPayments(options: SetUpOptions): Promise<Payments> {
  const { prompter, environment } = options
  if (environment.CUSTODY === 'none') {
    prompter.say(`\n3. ${OWN_WALLETS} CUSTODY=none in the environment says so.`)
    return NO_BALANCES
  }
  const prepared = preparedNodes(environment)
  prompter.say(
    '\n3. Payments use the bundled service on a Lightning node, or another provider. Without a node it has test sats, on a small network of its own.',
  )
  const titles = BACKENDS.filter(({ kind }) => prepared.includes(kind)).map(({ title }) => title)
  if (titles.length > 0) prompter.say(`   ✓ This machine has settings for ${titles.join(' and ')}.`)
  for (;;) {
    const typed = await prompter.ask(`   ${NODES.join(', ')}, provider or wallets (leave empty for test sats): `, {
      choices: nodeChoices(prepared),
    })
    const payments = await askAbout(options, typed.toLowerCase())
    if (payments !== undefined) return payments
  }
}

/** Asks about the chosen node or provider, and tests it. Resolves to undefined if the person wants to choose again. */
async function askAbout(options: SetUpOptions, choice: string): Promise<Payments | undefined> {
  const { prompter, runtime, environment } = options
  const tried = (variables: Variables | undefined) => variables && { variables, isTried: true }
  if (choice === 'wallets') {
    prompter.say(`   ✓ ${OWN_WALLETS}`)
    return NO_BALANCES
  }
  if (choice === 'provider') return tried(await untilMended(prompter, () => askProvider(options), BACK))
  const node = NODES.find((each) => each === choice)
  if (node !== undefined) {
    const answer = await askNode(prompter, node, runtime, environment)
    if (answer === 'back') return undefined
    const variables = { ...NO_PROVIDER, ...answer.variables }
    if (!answer.isReady) return await tryLater(options, variables)
    return tried(await untilMended(prompter, () => tryBooks(options, variables), BACK))
  }
  if (choice === '' || choice === 'sandbox') {
    const variables = { ...NO_PROVIDER, ...NO_NODE, LIGHTNING_BACKEND: undefined }
    return tried(await untilMended(prompter, () => tryBooks(options, variables), BACK))
  }
  prompter.say(`   ✗ "${choice}" is not one of them. Type ${NODES.join(', ')}, provider or wallets, or nothing.`)
  return undefined
}

/**
 * Returns the choices for the payments: each kind of node, test sats, another provider, and members' own wallets. Nodes
 * with settings on this machine come first, because most owners of such a machine want to use them.
 */
function nodeChoices(prepared: readonly BackendName[]): Choice[] {
  const isPrepared = ({ kind }: (typeof BACKENDS)[number]) => prepared.includes(kind)
  return [
    ...BACKENDS.filter(isPrepared).map(({ kind, title }) => ({ value: kind, label: `The ${title} of this machine` })),
    { value: '', label: 'Test sats' },
    ...BACKENDS.filter((each) => !isPrepared(each)).map(({ kind, title }) => ({ value: kind, label: title })),
    { value: 'provider', label: 'Another provider' },
    { value: 'wallets', label: 'Members’ own wallets: hold no sats' },
  ]
}

/** Tries the settings of a node that may not be ready yet. Reports a problem, and returns the settings nevertheless. */
async function tryLater(options: SetUpOptions, variables: Variables): Promise<Payments> {
  try {
    return { variables: await tryBooks(options, variables), isTried: true }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    options.prompter.say(`   ! ${error.message}`)
    return { variables, isTried: false }
  }
}

/**
 * Starts the bundled service once with these variables. If the data folder contains another node's books, these stay as
 * they are, and the person chooses a folder for new books. Resolves to the variables that worked.
 */
async function tryBooks({ prompter, runtime, withOwnService }: SetUpOptions, variables: Variables): Promise<Variables> {
  let chosen = variables
  for (;;) {
    try {
      const check = await withOwnService(chosen, (own) => checkOwnService(own, runtime.clock))
      if (!check.ok) throw new Problem(check.why)
      prompter.say(`   ✓ ${check.says}`)
      return chosen
    } catch (error) {
      if (!(error instanceof NodeMismatch)) throw error
      prompter.say(`   ! ${error.message}`)
      // Inside the usual folder, which a container retains and which systemd's unit may write.
      const usual = `./data/${variables.LIGHTNING_BACKEND ?? 'sandbox'}`
      const folder = await prompter.ask(`   A folder for new books (DATA_FOLDER; empty for ${usual}): `)
      chosen = { ...variables, DATA_FOLDER: folder || usual }
    }
  }
}

/** Asks for a provider's address and key. Throws Problem if the provider cannot be used. */
async function askProvider({ prompter, runtime }: SetUpOptions): Promise<Variables> {
  const baseUrl = (await prompter.ask(`   ${PROVIDER_URL.what}: `)).replace(/\/+$/, '')
  // A key that was given for one address is not offered for another.
  const question = `   ${PROVIDER_KEY.what} at ${baseUrl || 'your provider'}, which is not shown: `
  const apiKey = await prompter.ask(question, { hidden: PROVIDER_KEY.hidden })
  const check = await checkProvider(baseUrl, apiKey, runtime.clock)
  if (!check.ok) throw new Problem(check.why)
  prompter.say(`   ✓ ${check.says}`)
  const provider = { ...NO_PROVIDER, PAYMENTS_BASE_URL: baseUrl, PAYMENTS_API_KEY: apiKey }
  return { ...NO_NODE, LIGHTNING_BACKEND: undefined, ...provider }
}
