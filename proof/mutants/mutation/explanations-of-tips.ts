import type { Explained } from './explained.ts'

const CLAIM = 'src/tipping/claims/claim-tips.ts'
const ALLOWANCE = 'src/tipping/machines/gifts/spend-allowance.ts'
const ONWARD = 'src/tipping/machines/gifts/onward.ts'
const RECIPIENTS = 'src/tipping/machines/gifts/recipients.ts'
const COUNT = 'src/tipping/tips/count-on-message.ts'
const SEND_TIP = 'src/tipping/tips/send-tip.ts'

const NOT_ANOTHERS_NAME =
  'The verb only keeps the digests of different commands apart; an interaction belongs to one command, and the rest of its content differs from all others.'
const ONLY_FASTER =
  'The filter only spares reading other rows: each is looked up by its name afterwards, and the others are left alone.'
const ENDS_ANYWAY =
  'It bounds how often an amount such as `all` is read again while others take from the same balance; when they stop, it ends by itself, with the same refusal or the same tip.'
const NOTHING_IS_LIMITED = 'A short cut: where nothing is limited, spending an allowance writes nothing.'
const ZERO_AT_THE_BOUND =
  'Where both are the same, nothing is left of the one without the other: it is zero either way.'
const SAME_AT_THE_BOUND = 'Of two equal amounts either is the larger.'
const NOTHING_IS_DUE =
  'Of a gift that is not sent on to an address nothing is due, so nothing is noted; whatever is looked at too soon has nothing to do yet.'
const NO_NEED_OF_THE_BALANCE =
  'It spares reading balances that make no difference: where nothing is to stay there is no room for any of it, and without a link nothing goes on.'
const ALWAYS_THERE =
  'Only messages of servers are tipped, and a tip without a recipient was refused before. What stands for none is for the compiler.'

/** What survives the tests of tips, and why that is well. */
export const OF_TIPS: readonly Explained[] = [
  {
    file: CLAIM,
    code: "{ interaction: origin.interaction, verb: 'claim', content: [member] },",
    changes: [`'claim' => ""`],
    because: NOT_ANOTHERS_NAME,
  },
  {
    file: CLAIM,
    code: "const gift = { cause: '', card: '', member, amount, description: '', at: now(context) }",
    changes: [`'' => "Stryker was here!"`],
    because: 'Nothing of it is written: only its sum is read, and what of it would go on.',
  },
  {
    file: 'src/tipping/machines/gifts/confirmation.ts',
    code: 'const left = msats(balance > sum.total ? balance - sum.total : 0n)',
    changes: ['balance > sum.total => balance >= sum.total'],
    because: ZERO_AT_THE_BOUND,
  },
  {
    file: ONWARD,
    code: 'const sent = msats(amount > (status?.room ?? 0n) ? amount - (status?.room ?? 0n) : 0n)',
    changes: ['amount > (status?.room ?? 0n) => amount >= (status?.room ?? 0n)'],
    because: ZERO_AT_THE_BOUND,
  },
  {
    file: ONWARD,
    code: 'if (onward.some(({ due }) => due.length > 0)) void context.poller.wake()',
    changes: [
      'onward.some(({ due }) => due.length > 0) => true',
      'due.length > 0 => true',
      'due.length > 0 => due.length >= 0',
    ],
    because: NOTHING_IS_DUE,
  },
  {
    file: RECIPIENTS,
    code: 'client.member.findMany({ where: { id: { in: [...ids] }, forgottenAt: null } }),',
    changes: ['{ in: [...ids] } => {}'],
    because: ONLY_FASTER,
  },
  {
    file: RECIPIENTS,
    code: 'const keepers = members.filter(({ id, keepHere }) => keepHere > 0n && links.has(id))',
    changes: [
      'members.filter(({ id, keepHere }) => keepHere > 0n && links.has(id)) => members',
      'keepHere > 0n && links.has(id) => true',
      'keepHere > 0n && links.has(id) => keepHere > 0n || links.has(id)',
      'keepHere > 0n => true',
      'keepHere > 0n => keepHere >= 0n',
    ],
    because: NO_NEED_OF_THE_BALANCE,
  },
  {
    file: RECIPIENTS,
    code: 'const room = msats(left > 0n ? left : 0n)',
    changes: ['left > 0n => left >= 0n'],
    because: ZERO_AT_THE_BOUND,
  },
  {
    file: RECIPIENTS,
    code: 'if (keepers.length === 0) return new Map()',
    changes: ['keepers.length === 0 => false'],
    because: 'A short cut: of nobody, no balance is found.',
  },
  {
    file: RECIPIENTS,
    code: "const accounts = await client.account.findMany({ where: { kind: 'member', owner: { in: owners } } })",
    changes: ['{ in: owners } => {}'],
    because: ONLY_FASTER,
  },
  {
    file: ALLOWANCE,
    code: 'return limits.perDay !== undefined || limits.newAccountPerDay !== undefined || limits.coolDownSeconds > 0',
    changes: [
      'limits.perDay !== undefined || limits.newAccountPerDay !== undefined || limits.coolDownSeconds > 0 => true',
      'limits.coolDownSeconds > 0 => limits.coolDownSeconds >= 0',
    ],
    because: NOTHING_IS_LIMITED,
  },
  {
    file: ALLOWANCE,
    code: 'if (!isLimited(spending)) return',
    changes: ['!isLimited(spending) => false'],
    because: NOTHING_IS_LIMITED,
  },
  {
    file: ALLOWANCE,
    code: 'const rows = await tx.usage.findMany({ where: { key: { in: keys }, day } })',
    changes: ['{ in: keys } => {}'],
    because: ONLY_FASTER,
  },
  {
    file: ALLOWANCE,
    code: 'const most = keys.reduce((highest, key) => ((used.get(key) ?? 0n) > highest ? (used.get(key) ?? 0n) : highest), 0n)',
    changes: ['(used.get(key) ?? 0n) > highest => (used.get(key) ?? 0n) >= highest'],
    because: SAME_AT_THE_BOUND,
  },
  {
    file: ALLOWANCE,
    code: 'const left = msats(most >= cap.amount ? 0n : cap.amount - most)',
    changes: ['most >= cap.amount => most > cap.amount'],
    because: ZERO_AT_THE_BOUND,
  },
  {
    file: ALLOWANCE,
    code: 'const young = newAccountPerDay !== undefined && ageMs < newAccountDays * DAY_MS',
    changes: ['newAccountPerDay !== undefined => true'],
    because:
      'Where new accounts have no limit, it is not less than the other limit either. The question is for the compiler.',
  },
  {
    file: ALLOWANCE,
    code: "const place = guild ?? 'direct'",
    changes: [`'direct' => ""`],
    because: 'It names the place that is no server; any word does that is not the id of one.',
  },
  {
    file: 'src/tipping/tips/ask-tip.ts',
    code: 'const id = await context.once.perform({ interaction, verb: kind, content: [asked] }, (digest) =>',
    changes: ['[asked] => []'],
    because: 'The interaction is made from the same id, so the content says nothing more.',
  },
  {
    file: COUNT,
    code: "data: { message, channel, guild: guild ?? '', author: author?.id ?? '', card, createdAt },",
    changes: [`'' => "Stryker was here!"`, 'author?.id => author.id'],
    because: ALWAYS_THERE,
  },
  {
    file: SEND_TIP,
    code: "const id = await context.once.perform({ interaction: origin.interaction, verb: 'tip', content }, (digest) =>",
    changes: [`'tip' => ""`],
    because: NOT_ANOTHERS_NAME,
  },
  {
    file: SEND_TIP,
    code: 'const isKnown = recipients.every((recipient) => people.has(recipient))',
    changes: ['(recipient) => people.has(recipient) => () => undefined'],
    because: 'It only spares reading how long a tip waits, where none is going to wait.',
  },
  {
    file: SEND_TIP,
    code: 'for (let attempt = 0; ; attempt += 1) {',
    changes: ['attempt += 1 => attempt -= 1'],
    because: ENDS_ANYWAY,
  },
  {
    file: SEND_TIP,
    code: 'if (isRelative(command.amount) && attempt < 5) continue',
    changes: [
      'isRelative(command.amount) && attempt < 5 => isRelative(command.amount) || attempt < 5',
      'attempt < 5 => true',
      'attempt < 5 => attempt <= 5',
    ],
    because: ENDS_ANYWAY,
  },
  {
    file: SEND_TIP,
    code: 'const isDue = onward.some(({ due }) => due.length > 0)',
    changes: ['due.length > 0 => true', 'due.length > 0 => due.length >= 0'],
    because: NOTHING_IS_DUE,
  },
  {
    file: SEND_TIP,
    code: 'if (!isLimited({ limits }) && tippedMessage === undefined && !isDue) return {}',
    changes: ['!isLimited({ limits }) && tippedMessage === undefined && !isDue => false'],
    because: NOTHING_IS_LIMITED,
  },
  {
    file: 'src/tipping/tips/view-tip.ts',
    code: 'const payouts = await database.read.payout.findMany({ where: { cause: { in: tip.shares.map((share) => share.id) } } })',
    changes: [
      '{ where: { cause: { in: tip.shares.map((share) => share.id) } } } => {}',
      '{ cause: { in: tip.shares.map((share) => share.id) } } => {}',
      '{ in: tip.shares.map((share) => share.id) } => {}',
    ],
    because: ONLY_FASTER,
  },
]
