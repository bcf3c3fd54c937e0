import type { Explained } from './explained.ts'

const CREATE = 'src/tipping/machines/incoming/create-charge.ts'
const READ = 'src/tipping/machines/incoming/read-charge.ts'

const ONLY_TWO_MATTER = 'It only has to be neither credited nor unread.'
const FOR_THE_COMPILER =
  'No record is ever deleted, and one is read only once it has a charge; the question is for the compiler.'
const SOMETHING_CAME = 'Nobody credits nothing; the question is for the compiler, and its words for a debugger.'

/** What survives the tests of all that comes in, and why that is well. */
export const OF_INCOMING: readonly Explained[] = [
  {
    file: CREATE,
    code: 'return msats(settings.minAmount > sats(1) ? settings.minAmount : sats(1))',
    changes: ['settings.minAmount > sats(1) => settings.minAmount >= sats(1)'],
    because: 'Of two equal amounts either is the larger.',
  },
  {
    file: CREATE,
    code: 'if (charge.allowedSlots !== null && charge.allowedSlots > slots) {',
    changes: ['charge.allowedSlots !== null => true'],
    because: 'Null is more than no number; the question is for the compiler.',
  },
  {
    file: READ,
    code: 'if (record === null || !hasCharge(record)) return END',
    changes: [
      'record === null || !hasCharge(record) => false',
      'record === null || !hasCharge(record) => record === null && !hasCharge(record)',
      'record === null => false',
      '!hasCharge(record) => false',
    ],
    because: FOR_THE_COMPILER,
  },
  {
    file: READ,
    code: "if (!hasCharge(record)) return 'refused'",
    changes: ['!hasCharge(record) => false', `'refused' => ""`],
    because: FOR_THE_COMPILER,
  },
  {
    file: READ,
    code: 'return record.chargeId !== null',
    changes: ['record.chargeId !== null => true'],
    because: FOR_THE_COMPILER,
  },
  {
    file: READ,
    code: "return 'refused'",
    changes: [`'refused' => ""`],
    because: ONLY_TWO_MATTER,
  },
  {
    file: READ,
    code: "return isAnswer(error) || error.operation === 'updateStaticCharge' ? 'refused' : 'unread'",
    changes: [`'refused' => ""`],
    because: ONLY_TWO_MATTER,
  },
  {
    file: READ,
    code: "if (first === undefined || last === undefined) throw new Error('There is nothing to credit.')",
    changes: [
      'first === undefined || last === undefined => false',
      'first === undefined || last === undefined => first === undefined && last === undefined',
      'first === undefined => false',
      'last === undefined => false',
      `'There is nothing to credit.' => ""`,
    ],
    because: SOMETHING_CAME,
  },
]
