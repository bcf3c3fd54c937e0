import type { Explained } from './explained.ts'

const LIMITS = 'src/tipping/core/limits.ts'
const LINK = 'src/tipping/members/link-member.ts'
const ONCE = 'src/tipping/machines/once-only/once-only.ts'
const POLLER = 'src/tipping/machines/polling/poller.ts'
const UNLINK = 'src/tipping/members/unlink-member.ts'
const VIEW = 'src/tipping/balances/view-balance.ts'

const THE_RECORD_SAYS_IT =
  'A short cut: the command is led to its record, as a repetition would be, and what is read of the record then is the same refusal.'
const OF_TWO_EQUAL = 'Of two equal amounts either is the bound.'
const FOR_THE_COMPILER =
  'Without a link there is an address, or the command was refused above; the question is for the compiler.'

/** What survives the tests of commands that are carried out once, of polls, members and balances, and why that is well. */
export const OF_ONCE: readonly Explained[] = [
  {
    file: LINK,
    code: 'if (!(error instanceof PaymentsError)) throw error',
    changes: ['!(error instanceof PaymentsError) => false'],
    because: 'Any other error has none of these codes and is thrown below as it is; the question is for the compiler.',
  },
  {
    file: LIMITS,
    code: 'smallest: smallestTip > settings.minAmount ? smallestTip : settings.minAmount,',
    changes: ['smallestTip > settings.minAmount => smallestTip >= settings.minAmount'],
    because: OF_TWO_EQUAL,
  },
  {
    file: LIMITS,
    code: 'largest: largestTip < settings.maxAmount ? largestTip : settings.maxAmount,',
    changes: ['largestTip < settings.maxAmount => largestTip <= settings.maxAmount'],
    because: OF_TWO_EQUAL,
  },
  {
    file: ONCE,
    code: 'if (before !== undefined) return before',
    changes: ['before !== undefined => false'],
    because:
      'It spares the work that the unique key of interaction and ordinal would refuse; the repetition is then led to the same record.',
  },
  {
    file: ONCE,
    code: 'if (error instanceof CarriedOut) throw error.refusal',
    changes: ['error instanceof CarriedOut => false'],
    because: THE_RECORD_SAYS_IT,
  },
  {
    file: ONCE,
    code: 'constructor(refusal: TippingRefusal) {',
    changes: ['{ super(refusal.message) this.refusal = refusal } => {}'],
    because: THE_RECORD_SAYS_IT,
  },
  {
    file: ONCE,
    code: "const { id, verb, record, interaction = null, ordinal = 0, digest = '', createdAt } = operation",
    changes: [`'' => "Stryker was here!"`],
    because: 'Only an operation of an interaction is compared by its digest, and each of those has one.',
  },
  {
    file: UNLINK,
    code: "if (link === null) return { address: owner?.forwardTo ?? '' }",
    changes: ['owner?.forwardTo => owner.forwardTo', `'' => "Stryker was here!"`],
    because: FOR_THE_COMPILER,
  },
  {
    file: VIEW,
    code: 'if (owner === null) {',
    changes: ['owner === null => true'],
    because: 'It only spares a write: somebody who is noted already would be noted once more.',
  },
  {
    file: VIEW,
    code: 'if (gamertag !== link.gamertag) {',
    changes: ['gamertag !== link.gamertag => true'],
    because: 'It only spares a write: the link would be written as it is.',
  },
  {
    file: VIEW,
    code: "read.deposit.findMany({ where: { member, state: 'open' }, orderBy: { createdAt: 'asc' } }),",
    changes: ["{ createdAt: 'asc' } => {}"],
    because: 'SQLite reads this table in the order of its rows anyway. PostgreSQL promises no order.',
  },
  {
    file: POLLER,
    code: '#crowded = false',
    changes: ['false => true'],
    because: 'Each round that finds something to poll says it again before anybody asks.',
  },
  {
    file: POLLER,
    code: 'if ((await this.#database.read.pollJob.count({ where })) === 0) return',
    changes: ['{ where } => {}', '(await this.#database.read.pollJob.count({ where })) === 0 => false'],
    because: 'It only spares a write that would find nothing to change.',
  },
  {
    file: POLLER,
    code: "orderBy: [{ nextAt: 'asc' }, { id: 'asc' }],",
    changes: ["{ id: 'asc' } => {}"],
    because: 'It only says which of those comes first that are due at the same moment, no matter which.',
  },
  {
    file: POLLER,
    code: 'if (!undisturbed || this.#crowded) void this.wake()',
    changes: ['!undisturbed || this.#crowded => true'],
    because: 'It only spares a look at what is due, which would find the same and set the same timer.',
  },
  {
    file: LINK,
    code: 'if (code !== undefined && !/^[0-9A-Za-z-]{1,40}$/.test(code)) {',
    changes: ['code !== undefined => true'],
    because:
      'Where there is no code the pattern would be given the word “undefined”, which it takes; the question is for the compiler.',
  },
  {
    file: POLLER,
    code: 'job.nextAt === null || busy.has(job.id) ? [] : [{ at: job.nextAt.getTime(), job }],',
    changes: ['job.nextAt === null => false'],
    because: 'What has no time is not looked for; the question is for the compiler.',
  },
]
