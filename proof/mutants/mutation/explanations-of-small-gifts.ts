import type { Explained } from './explained.ts'

const FAUCET = 'src/tipping/faucet/take-from-faucet.ts'
const PRESENCE = 'src/tipping/rain/presence.ts'
const RAIN = 'src/tipping/rain/let-it-rain.ts'
const TIP = 'src/tipping/message-tips/tip-message.ts'
const VIEW = 'src/tipping/message-tips/view-message-tips.ts'

const NOT_ANOTHERS_NAME =
  'The verb only keeps the digests of different commands apart; an interaction belongs to one command, and the rest of its content differs from all others.'
const ANY_WORD = 'It stands for “none” in a digest, where any value does that no other command has.'
const ANY_KEY = 'Only its own count is kept under this name; any name does that no other count has.'
const READS_MORE =
  'It only spares reading other members: each is looked up by id afterwards, and who was never forgotten left alone.'

/** What survives the tests of rain, of tips for messages and of the faucet, and why that is well. */
export const OF_SMALL_GIFTS: readonly Explained[] = [
  {
    file: TIP,
    code: "const content = [tip.from, message, author.id, tip.amount, tip.note ?? '']",
    changes: [`'' => "Stryker was here!"`],
    because: ANY_WORD,
  },
  {
    file: TIP,
    code: "await context.once.perform({ interaction: origin.interaction, verb: 'tip-message', content }, (digest) =>",
    changes: [`'tip-message' => ""`],
    because: NOT_ANOTHERS_NAME,
  },
  {
    file: TIP,
    code: "kind: 'tally',",
    changes: [`'tally' => ""`],
    because: 'The kind is that of a card of its own, and a tip for a message has none.',
  },
  {
    file: VIEW,
    code: "shares.flatMap(({ state, until }) => (state === 'parked' ? (until ?? []) : [])),",
    changes: [`[] => ["Stryker was here"]`],
    because: 'What is parked has a time until which it waits; the question is for the compiler.',
  },
  {
    file: RAIN,
    code: 'const content = [from, guild, amount, people ?? null, activeWithinMinutes, among === undefined]',
    changes: ['among === undefined => among !== undefined'],
    because: 'Either way it says in a digest which of the two it is.',
  },
  {
    file: RAIN,
    code: "const id = await context.once.perform({ interaction: origin.interaction, verb: 'rain', content }, async (digest) =>",
    changes: [`'rain' => ""`],
    because: NOT_ANOTHERS_NAME,
  },
  {
    file: PRESENCE,
    code: 'const where = { id: { in: heard.map(({ member }) => member) }, forgottenAt: { not: null } }',
    changes: [
      '{ id: { in: heard.map(({ member }) => member) }, forgottenAt: { not: null } } => {}',
      '{ in: heard.map(({ member }) => member) } => {}',
      '{ not: null } => {}',
    ],
    because: READS_MORE,
  },
  {
    file: PRESENCE,
    code: 'const forgotten = await tx.member.findMany({ where, select: { id: true, forgottenAt: true } })',
    changes: ['{ where, select: { id: true, forgottenAt: true } } => {}'],
    because: READS_MORE,
  },
  {
    file: PRESENCE,
    code: 'const since = new Map(forgotten.map(({ id, forgottenAt }) => [id, forgottenAt?.getTime() ?? 0]))',
    changes: ['forgottenAt?.getTime => forgottenAt.getTime'],
    because: 'Only who was forgotten is read, with the time; the question is for the compiler.',
  },
  {
    file: FAUCET,
    code: "await context.once.perform({ interaction, verb: 'faucet', content: [member] }, async (digest) => {",
    changes: [`'faucet' => ""`],
    because: NOT_ANOTHERS_NAME,
  },
  {
    file: FAUCET,
    code: "if (isNew) await count(tx, 'faucet:new', SHARES_OF_NEW_ACCOUNTS, { amount, at })",
    changes: [`'faucet:new' => ""`],
    because: ANY_KEY,
  },
  {
    file: FAUCET,
    code: "await count(tx, 'faucet', SHARES_A_DAY, { amount, at })",
    changes: [`'faucet' => ""`],
    because: ANY_KEY,
  },
]
