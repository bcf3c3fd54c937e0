import { MAX_REWARD_REASON } from '../../tipping/tipping.ts'
import { suggestOwnAmounts } from '../amounts/suggestions.ts'
import type { Asking, Call, Command, Form, FormReply, Options, Submission } from '../discord/command.ts'
import type { Translator } from '../i18n/translator.ts'
import { FROM_POOL, poolToPay } from '../spending/from-pool.ts'
import { confirmationOutcome, dropConfirm } from '../tips/buttons.ts'

const DAYS = { kind: 'whole', smallest: 1, largest: 3650 } as const
const MAX_PUZZLE_LENGTH = 200

const options = {
  amount: { kind: 'text', required: true, longest: 30, suggest: suggestOwnAmounts },
  shares: { kind: 'whole', required: true, smallest: 1, largest: 100 },
  minutes: { kind: 'whole', smallest: 1, largest: 10_080 },
  codes: { kind: 'yes-no' },
  puzzle: { kind: 'text', choices: ['phrase', 'sum', 'trivia'] },
  role: { kind: 'role' },
  draw: { kind: 'yes-no' },
  'account-days': DAYS,
  'member-days': DAYS,
  ...FROM_POOL,
} as const satisfies Options

type Given = Omit<Call<typeof options>['options'], 'role'> & { readonly role: string | undefined }

export const voucherDrop = {
  name: 'voucher drop',
  answer: 'public',
  where: 'server',
  announces: true,
  dryRun: true,
  options,
  /** What must be solved is typed where nobody can look it up: Discord shows a command's options to all. */
  form({ options: given, t }) {
    const { puzzle } = given
    if (puzzle !== 'trivia' && puzzle !== 'phrase') return undefined
    return {
      verb: dropPuzzle.verb,
      record: write({ ...given, role: given.role?.id }),
      title: t('drop.form.title'),
      fields: [...(puzzle === 'trivia' ? triviaFields(t) : phraseFields(t)), ...reasonField(given, t)],
    }
  },
  run: (call: Call<typeof options>) => open(call, { ...call.options, role: call.options.role?.id }, {}),
} satisfies Command<typeof options>

/** The same at the top level, where people look for it. */
export const drop = { ...voucherDrop, name: 'drop' } satisfies Command<typeof options>

/** Opens the drop whose puzzle was asked for with a form. */
export const dropPuzzle = {
  verb: 'drop-puzzle',
  names: 'nothing',
  answer: 'public',
  dryRun: true,
  submit: (submission: Submission) => open(submission, read(submission.record), submission.values),
} satisfies FormReply

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

/** Too long for what a form remembers, so it is typed there, or once more. */
function reasonField({ from, reason }: Pick<Given, 'from' | 'reason'>, t: Translator): Form['fields'] {
  if (from !== 'pool') return []
  const field = { name: 'reason', label: t('drop.form.reason'), longest: MAX_REWARD_REASON }
  return [reason === undefined ? field : { ...field, value: reason }]
}

async function open(asking: Asking, given: Given, typed: Readonly<Record<string, string>>) {
  const { member, guild, caller, origin, tipping, t } = asking
  const { amount, shares, minutes, codes, puzzle, role, draw } = given
  const { question, answer } = typed
  const pool = await poolToPay(asking, { from: given.from, reason: typed.reason ?? given.reason })
  const command = {
    ...{ member, amount, shares, minutes, codes, draw, puzzle, question, answer, origin },
    // Everybody has the role that bears the server's own id.
    role: role === guild ? undefined : role,
    accountDays: given['account-days'],
    memberDays: given['member-days'],
    accountSince: caller.accountSince,
  }
  if (pool !== undefined) return { card: (await tipping.drops.openFromPool({ ...command, pool })).card }
  const drop = await tipping.drops.ask(command)
  return 'asked' in drop ? confirmationOutcome(drop, t, dropConfirm.verb) : { card: drop.card }
}

/** The options, short enough for a form's `custom_id`, which has 100 characters: so the form outlives a restart. */
function write(given: Given): string {
  const { amount, shares, minutes, codes, puzzle, role, draw, from } = given
  const marks = [puzzle === 'trivia' ? 't' : 'p', codes ? 'c' : '', draw ? 'd' : '', from === 'pool' ? 'f' : ''].join(
    '',
  )
  const facts = [marks, shares, minutes, role, given['account-days'], given['member-days'], amount.trim()]
  return facts.map((fact) => fact ?? '').join('/')
}

function read(record: string): Given {
  const [marks = '', shares, minutes, role, accountDays, memberDays, ...amount] = record.split('/')
  const whole = (text: string | undefined) => (text ? Number(text) : undefined)
  return {
    amount: amount.join('/'),
    shares: Number(shares),
    minutes: whole(minutes),
    codes: marks.includes('c'),
    puzzle: marks.startsWith('t') ? 'trivia' : 'phrase',
    role: role || undefined,
    draw: marks.includes('d'),
    from: marks.includes('f') ? 'pool' : undefined,
    reason: undefined,
    'account-days': whole(accountDays),
    'member-days': whole(memberDays),
  }
}
