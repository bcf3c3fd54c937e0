import { MAX_REWARD_REASON } from '../../tipping/tipping.ts'
import { suggestOwnAmounts } from '../amounts/suggestions.ts'
import { dropConfirm } from '../confirmations/buttons.ts'
import { confirmationOutcome } from '../confirmations/question.ts'
import type { Translator } from '../i18n/translator.ts'
import type {
  Asking,
  Call,
  Command,
  Filled,
  Form,
  FormButton,
  FormReply,
  Opening,
  Options,
  Submission,
} from '../interactions/command.ts'
import { filledAgain, longId, readAgain, shortId } from '../interactions/filled-again.ts'
import { FROM_ANY, type From, ownSource, poolToPay } from '../spending/from-pool.ts'
import { DROP_FORM_VERB, formOfDrop, sizeFields, WAYS } from './form.ts'

const DAYS = { kind: 'whole', smallest: 1, largest: 3650 } as const
const MAX_PUZZLE_LENGTH = 200

const options = {
  amount: { kind: 'text', longest: 30, suggest: suggestOwnAmounts },
  shares: { kind: 'whole', smallest: 1, largest: 100 },
  minutes: { kind: 'whole', smallest: 1, largest: 10_080 },
  codes: { kind: 'yes-no' },
  puzzle: { kind: 'text', choices: ['phrase', 'sum', 'trivia'] },
  role: { kind: 'role' },
  draw: { kind: 'yes-no' },
  'account-days': DAYS,
  'member-days': DAYS,
  ...FROM_ANY,
} as const satisfies Options

type Given = Omit<Call<typeof options>['options'], 'role'> & { readonly role: string | undefined }

export const voucherDrop = {
  name: 'voucher drop',
  answer: 'public',
  where: 'server',
  announces: true,
  dryRun: true,
  options,
  /**
   * Returns the form for missing values, or for a puzzle's solution. The solution is typed into the form, because
   * Discord shows a command's options to everybody.
   */
  form({ options: given, t }) {
    const { puzzle, amount, shares } = given
    const isMissing = amount === undefined || shares === undefined
    if (puzzle !== 'trivia' && puzzle !== 'phrase') return isMissing ? whole(given, t) : undefined
    return {
      verb: dropPuzzle.verb,
      record: write({ ...given, role: given.role?.id }),
      title: t('drop.form.title'),
      fields: [
        ...(isMissing ? sizeFields(given, t) : []),
        ...(puzzle === 'trivia' ? triviaFields(t) : phraseFields(t)),
        ...reasonField(given, t),
      ],
    }
  },
  run: (call: Call<typeof options>) => open(call, { ...call.options, role: call.options.role?.id }, {}),
} satisfies Command<typeof options>

/** The command `/drop`, which does the same as `/voucher drop`, because people look for it at the top level. */
export const drop = { ...voucherDrop, name: 'drop' } satisfies Command<typeof options>

/** Opens the drop whose puzzle was typed into the form. */
export const dropPuzzle = {
  verb: 'drop-puzzle',
  names: 'nothing',
  answer: 'public',
  dryRun: true,
  submit: (submission: Submission) => open(submission, read(submission.record), submission.values),
} satisfies FormReply

/** Opens the drop that the form describes. */
export const dropForm = {
  verb: DROP_FORM_VERB,
  names: 'nothing',
  answer: 'public',
  dryRun: true,
  submit: (submission: Submission) => open(submission, filledInto(submission), submission.values),
  again(filled: Filled) {
    const { shares, reason, way, amount } = filled.values
    const given = filledInto(filled)
    const marks = `${MARKS[given.from ?? 'none']}${given.codes ? 'c' : ''}`
    const days = [given['account-days'], given['member-days']]
    return filledAgain(
      dropAgain.verb,
      [marks, shares, given.minutes, way, shortId(given.role), ...days],
      [amount, reason],
      filled.t,
    )
  },
} satisfies FormReply

/** Opens the form of a refused drop again, as it was filled in. */
export const dropAgain = {
  verb: 'drop-again',
  names: 'nothing',
  async open({ record: remembered, t }: Opening) {
    const { fixed, texts } = readAgain(remembered, 7, 2)
    const [marks = '', shares, minutes, chosen, role, accountDays, memberDays] = fixed
    const [amount, reason] = texts
    const [from, way] = [markedFrom(marks), WAYS.find((each) => each === chosen) ?? 'first']
    const days = { 'account-days': Number(accountDays) || undefined, 'member-days': Number(memberDays) || undefined }
    const size = { amount, shares: Number(shares) || undefined, minutes: Number(minutes) || undefined }
    const given = { ...size, ...days, role: longId(role), from, reason } as const
    const record = write({ ...given, codes: marks.includes('c'), draw: way === 'draw', puzzle: undefined })
    return formOfDrop({ ...size, way, role: given.role, pool: from === 'pool', reason: reason || undefined, record }, t)
  },
} satisfies FormButton

function filledInto({ record, values, picked }: Filled): Given {
  const { way } = values
  const given = read(record)
  return {
    ...given,
    minutes: Number(values.minutes),
    draw: way === 'draw',
    puzzle: way === 'sum' || way === 'phrase' ? way : undefined,
    role: picked.role?.[0]?.id ?? given.role,
  }
}

function whole(given: Call<typeof options>['options'], t: Translator): Form {
  const { amount, shares, minutes, puzzle, draw, from, reason } = given
  const role = given.role?.id
  const way = draw ? 'draw' : puzzle === 'sum' ? 'sum' : 'first'
  const record = write({ ...given, role })
  return formOfDrop({ amount, shares, minutes, way, role, pool: from === 'pool', reason, record }, t)
}

function triviaFields(t: Translator): Form['fields'] {
  const hint = t('drop.form.answerHint')
  return [
    { name: 'question', label: t('drop.form.question'), longest: MAX_PUZZLE_LENGTH },
    { name: 'answer', label: t('drop.form.answer'), hint, longest: MAX_PUZZLE_LENGTH },
  ]
}

function phraseFields(t: Translator): Form['fields'] {
  const [label, hint] = [t('drop.form.phrase'), t('drop.form.phraseHint')]
  return [{ name: 'answer', label, hint, longest: MAX_PUZZLE_LENGTH, optional: true }]
}

/**
 * Returns the field for a reward's reason, which is too long to be stored in the form's `custom_id`. Other drops have
 * no such field.
 */
function reasonField({ from, reason }: Pick<Given, 'from' | 'reason'>, t: Translator): Form['fields'] {
  if (from !== 'pool') return []
  const field = { name: 'reason', label: t('drop.form.reason'), longest: MAX_REWARD_REASON }
  return [reason === undefined ? field : { ...field, value: reason }]
}

async function open(asking: Asking, given: Given, typed: Readonly<Record<string, string>>) {
  const { member, guild, caller, origin, tipping, t } = asking
  const { minutes, codes, puzzle, role, draw } = given
  const { question, answer, amount = given.amount ?? '' } = typed
  const shares = typed.shares === undefined ? (given.shares ?? 0) : Number(typed.shares)
  const pool = await poolToPay(asking, { from: given.from, reason: typed.reason ?? given.reason })
  const command = {
    ...{
      member,
      amount,
      shares,
      minutes,
      codes,
      draw,
      puzzle,
      question,
      answer,
      origin,
      source: ownSource(given.from),
    },
    // Everybody has the role with the server's own id.
    role: role === guild ? undefined : role,
    accountDays: given['account-days'],
    memberDays: given['member-days'],
    accountSince: caller.accountSince,
  }
  if (pool !== undefined) return { card: (await tipping.drops.openFromPool({ ...command, pool })).card }
  const drop = await tipping.drops.ask(command)
  return 'asked' in drop ? confirmationOutcome(drop, t, dropConfirm.verb) : { card: drop.card }
}

/** The mark with which a form stores each payment source. */
const MARKS: Readonly<Record<From | 'none', string>> = { balance: 'b', wallet: 'w', pool: 'f', none: '' }

function markedFrom(marks: string): From | undefined {
  return (['balance', 'wallet', 'pool'] as const).find((from) => marks.includes(MARKS[from]))
}

/**
 * Encodes the options for a form's `custom_id`, which holds 100 characters, so that the form still works after a
 * restart.
 */
function write(given: Given): string {
  const { amount, shares, minutes, codes, puzzle, role, draw, from } = given
  const marks = [puzzle === 'trivia' ? 't' : 'p', codes ? 'c' : '', draw ? 'd' : '', MARKS[from ?? 'none']].join('')
  const facts = [marks, shares, minutes, role, given['account-days'], given['member-days'], amount?.trim()]
  return facts.map((fact) => fact ?? '').join('/')
}

function read(record: string): Given {
  const [marks = '', shares, minutes, role, accountDays, memberDays, ...amount] = record.split('/')
  const number = (text: string | undefined) => (text ? Number(text) : undefined)
  return {
    amount: amount.join('/'),
    shares: number(shares),
    minutes: number(minutes),
    codes: marks.includes('c'),
    puzzle: marks.startsWith('t') ? 'trivia' : 'phrase',
    role: role || undefined,
    draw: marks.includes('d'),
    from: markedFrom(marks),
    reason: undefined,
    'account-days': number(accountDays),
    'member-days': number(memberDays),
  }
}
