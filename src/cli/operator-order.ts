import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { createTranslators } from '../bot/i18n/translator.ts'
import { refusalText } from '../bot/refusals/refusal-text.ts'
import type { BookingKind } from '../tipping/adjustments/adjustments.ts'
import type { OperatorAccess } from '../tipping/operator-access.ts'
import { PAUSE_ENDS, type PaymentOutcome, type TippingRefusal } from '../tipping/tipping.ts'
import type { OPERATOR_VERBS } from './satchel-commands.ts'

/** The commands for the bot's book as people read them, in the same form as those in `admin-order.ts`. */
export const OPERATOR_LINES = `  pause --reason "WHY" [--by NAME]         stops all outgoing payments of the bot, as /admin pause does; members read why
  resume [--by NAME]                       ends that pause, as /admin resume does
  unknown                                  the bot's payments and vouchers with an unknown outcome, as /admin unknown
  decide PAYMENTID paid|failed --reason "WHY" [--amount SATS] [--by NAME]
                                           how one of them ended, as /admin decide; --amount: what a redeemed code brought
  book top-up|take-out SATS --reason "WHY" [--by NAME]
                                           what the operator paid into the bot's wallet or took out, as /admin book
  book suspense SATS --reason "WHY" [--member DISCORDID] [--by NAME]
                                           gives away what arrived for nobody, as /admin suspense; without --member to the
                                           operator
  proposals                                what one operator has decided or booked, and waits: for a second one, or for its day
  cancel PROPOSALID [--by NAME]            takes one back, as /admin cancel does`

/** The note below the help for any of these commands. */
export const OPERATOR_NOTE = `It needs no Discord. --by NAME says who you are: best your Discord id, so that your word counts once here and on
Discord. Without it, you are this machine's user.`

interface Verb {
  /** The words after the command. */
  readonly words: readonly string[]
  /**
   * The options that the command accepts besides `by`. The option `reason` is required where the command accepts it.
   */
  readonly options: readonly string[]
  readonly run: (access: OperatorAccess, words: readonly string[], said: Said) => Promise<unknown>
}

interface Said {
  readonly operator: string
  readonly reason: string
  readonly amount: string | undefined
  readonly member: string | undefined
}

const MAX_LISTED = 1_000

const VERBS: Readonly<Record<(typeof OPERATOR_VERBS)[number], Verb>> = {
  pause: {
    words: [],
    options: ['reason'],
    async run({ administration }, _words, { operator, reason }) {
      await administration.pause({ operator, reason })
      return { paused: true, reason }
    },
  },
  resume: {
    words: [],
    options: [],
    async run({ administration }, _words, { operator }) {
      const still = await administration.resume({ operator })
      return still === undefined
        ? { paused: false }
        : { paused: true, reason: still.reason, next: PAUSE_ENDS[still.source] }
    },
  },
  unknown: { words: [], options: [], run: ({ administration }) => administration.unknown(MAX_LISTED) },
  decide: {
    words: ['PAYMENTID', 'paid|failed'],
    options: ['reason', 'amount'],
    run: ({ administration }, [payment = '', outcome = ''], said) =>
      administration.decide({ payment, outcome: outcome as PaymentOutcome, ...said }),
  },
  proposals: { words: [], options: [], run: ({ administration }) => administration.proposals(MAX_LISTED) },
  cancel: {
    words: ['PROPOSALID'],
    options: [],
    async run({ administration }, [proposal = ''], { operator }) {
      await administration.cancel({ proposal, operator })
      return { proposal, cancelled: true }
    },
  },
  book: {
    words: ['top-up|take-out|suspense', 'SATS'],
    options: ['reason', 'member'],
    run: ({ administration }, [what = '', amount = ''], { member, reason, operator }) =>
      administration.book({ what: what as BookingKind, amount, member, reason, operator }),
  },
}

/** Runs a command on the bot's book. Resolves to the answer to print. Throws TippingRefusal. */
export type OperatorOrder = (access: OperatorAccess) => Promise<unknown>

/**
 * Reads a command line for the bot's book; returns undefined for any other command. `wrong` makes the error for a
 * faulty command line from the description of the fault.
 */
export function readOperatorOrder(
  args: readonly string[],
  wrong: (problem: string) => Error,
): OperatorOrder | undefined {
  const [name = ''] = args
  const verb = Object.entries(VERBS).find(([known]) => known === name)?.[1]
  if (verb === undefined || args.includes('--help') || args.includes('-h')) return undefined
  const { values, positionals: words } = read(args.slice(1), verb, wrong)
  if (words.length !== verb.words.length) {
    throw wrong(`"${name}" takes ${verb.words.join(' ') || 'no words, but options'}.`)
  }
  for (const [index, shape] of verb.words.entries()) {
    const word = words[index] ?? ''
    if (shape.includes('|') && !shape.split('|').includes(word)) {
      throw wrong(`"${name}" takes ${shape.replaceAll('|', ' or ')}, not "${word}".`)
    }
  }
  const reason = (values.reason ?? '').trim()
  if (verb.options.includes('reason') && reason === '') {
    throw wrong(`"${name}" needs --reason "WHY". The reason stays on record.`)
  }
  const operator = operatorOf(values.by, wrong)
  const member = memberOf(values.member, words[0], wrong)
  return (access) => verb.run(access, words, { operator, reason, amount: values.amount, member })
}

type Values = Readonly<Partial<Record<'reason' | 'amount' | 'member' | 'by', string>>>

function read(args: readonly string[], { options }: Verb, wrong: (problem: string) => Error) {
  try {
    const known = Object.fromEntries([...options, 'by'].map((name) => [name, { type: 'string' }] as const))
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: known })
    return { values: values as Values, positionals }
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

const DISCORD_ID = /^\d{17,20}$/
const MAX_NAME = 60

/**
 * Returns the operator's identity. A Discord id stands for that person on Discord, and any other name for a person at
 * this machine.
 */
export function operatorOf(by: string | undefined, wrong: (problem: string) => Error): string {
  const name = (by ?? userName()).trim()
  if (name === '' || name.length > MAX_NAME) throw wrong(`--by takes a name of 1 to ${MAX_NAME} characters.`)
  return DISCORD_ID.test(name) ? name : `terminal:${name}`
}

function memberOf(member: string | undefined, what: string | undefined, wrong: (problem: string) => Error) {
  if (member === undefined) return undefined
  if (what !== 'suspense')
    throw wrong(
      '--member is for "book suspense" alone: sats that are paid in or taken out are the operator’s. Leave it out.',
    )
  if (DISCORD_ID.test(member)) return member
  throw wrong(`--member takes a Discord id of 17 to 20 digits, not "${member}".`)
}

/** Returns the name of the user that runs this process, or their uid if they have no name, as in some containers. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}

/** Formats an answer as one line of JSON, with amounts in msats as strings. */
export function inJson(answer: unknown): string {
  return JSON.stringify(answer, (_name, value) => (typeof value === 'bigint' ? value.toString() : value))
}

/** Describes a refusal as the bot does on Discord, but in plain text. */
export function inWords(refusal: TippingRefusal, { testMoney }: Pick<OperatorAccess, 'testMoney'>): string {
  const text = refusalText(refusal, createTranslators(() => testMoney)('en'))
  if (refusal.code !== 'provider-unreachable') return text
  return `${text} If the payments service runs on this machine, start it: npm start, or npm run service.`
}
